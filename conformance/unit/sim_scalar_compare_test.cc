// Scalar comparisons and bit tests on hand-made vectors.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint32_t kMinusOne = 0xFFFFFFFFu;

// Less, equal, greater as signed numbers: -1 and 1. As unsigned ones the outer two change places.
std::vector<scalar_case> relation(bool less, bool equal, bool greater) {
  return {{{kMinusOne, 1}, 0, less, !less}, {{5, 5}, 0, equal, !equal}, {{1, kMinusOne}, 0, greater, !greater}};
}

TEST_CASE("scalar comparisons of registers", "[sim]") {
  check_scalar_rows({
      {"s_cmp_eq_i32", "s0, s1", relation(false, true, false)},
      {"s_cmp_lg_i32", "s0, s1", relation(true, false, true)},
      {"s_cmp_gt_i32", "s0, s1", relation(false, false, true)},
      {"s_cmp_ge_i32", "s0, s1", relation(false, true, true)},
      {"s_cmp_lt_i32", "s0, s1", relation(true, false, false)},
      {"s_cmp_le_i32", "s0, s1", relation(true, true, false)},
      {"s_cmp_eq_u32", "s0, s1", relation(false, true, false)},
      {"s_cmp_lg_u32", "s0, s1", relation(true, false, true)},
      {"s_cmp_gt_u32", "s0, s1", relation(true, false, false)},
      {"s_cmp_ge_u32", "s0, s1", relation(true, true, false)},
      {"s_cmp_lt_u32", "s0, s1", relation(false, false, true)},
      {"s_cmp_le_u32", "s0, s1", relation(false, true, true)},
      {"s_cmp_eq_u64", "s[0:1], s[2:3]", {{{uint64_t{1} << 32, 0}, 0, false, true}, {{~uint64_t{0}, ~uint64_t{0}}, 0, true, false}}},
      {"s_cmp_lg_u64", "s[0:1], s[2:3]", {{{uint64_t{1} << 32, 0}, 0, true, false}, {{7, 7}, 0, false, true}}},
      {"s_cmp_lg_u64", "s[0:1], 0", {{{uint64_t{1} << 63}, 0, true, false}, {{0}, 0, false, true}}},
      {"s_cmp_lt_i32", "s0, -1", {{{0xFFFFFFFE}, 0, true, false}, {{0}, 0, false, true}}},
  });
}

// Against 0xfff0: -16 for i32, 65520 for u32.
TEST_CASE("scalar comparisons with 16 bits: sign-extended for i32, zero-extended for u32", "[sim]") {
  const auto signed_relation = [](bool less, bool equal, bool greater) -> std::vector<scalar_case> {
    return {{{0xFFFFFFEF}, 0, less, !less}, {{0xFFFFFFF0}, 0, equal, !equal}, {{0}, 0, greater, !greater}};
  };
  const auto unsigned_relation = [](bool less, bool equal, bool greater) -> std::vector<scalar_case> {
    return {{{0xFFEF}, 0, less, !less}, {{0xFFF0}, 0, equal, !equal}, {{0xFFFFFFF0}, 0, greater, !greater}};
  };
  check_scalar_rows({
      {"s_cmpk_eq_i32", "s0, 0xfff0", signed_relation(false, true, false)},
      {"s_cmpk_lg_i32", "s0, 0xfff0", signed_relation(true, false, true)},
      {"s_cmpk_gt_i32", "s0, 0xfff0", signed_relation(false, false, true)},
      {"s_cmpk_ge_i32", "s0, 0xfff0", signed_relation(false, true, true)},
      {"s_cmpk_lt_i32", "s0, 0xfff0", signed_relation(true, false, false)},
      {"s_cmpk_le_i32", "s0, 0xfff0", signed_relation(true, true, false)},
      {"s_cmpk_eq_u32", "s0, 0xfff0", unsigned_relation(false, true, false)},
      {"s_cmpk_lg_u32", "s0, 0xfff0", unsigned_relation(true, false, true)},
      {"s_cmpk_gt_u32", "s0, 0xfff0", unsigned_relation(false, false, true)},
      {"s_cmpk_ge_u32", "s0, 0xfff0", unsigned_relation(false, true, true)},
      {"s_cmpk_lt_u32", "s0, 0xfff0", unsigned_relation(true, false, false)},
      {"s_cmpk_le_u32", "s0, 0xfff0", unsigned_relation(true, true, false)},
  });
}

TEST_CASE("scalar bit tests", "[sim]") {
  check_scalar_rows({
      {"s_bitcmp0_b32", "s0, s1", {{{0x10, 4}, 0, false, true}, {{0x10, 5}, 0, true, false}, {{0x10, 36}, 0, false, true}}},
      {"s_bitcmp1_b32", "s0, s1", {{{0x10, 4}, 0, true, false}, {{0x10, 5}, 0, false, true}, {{0x10, 36}, 0, true, false}}},
      {"s_bitcmp0_b64", "s[0:1], s2", {{{uint64_t{1} << 40, 40}, 0, false, true}, {{1, 64}, 0, false, true}, {{1, 1}, 0, true, false}}},
      {"s_bitcmp1_b64", "s[0:1], s2", {{{uint64_t{1} << 40, 40}, 0, true, false}, {{1, 64}, 0, true, false}, {{1, 1}, 0, false, true}}},
  });
}

}  // namespace
}  // namespace adahop::hip::sim::test
