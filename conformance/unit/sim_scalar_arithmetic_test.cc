// Scalar moves, sums, products and extremes on hand-made vectors: result and SCC.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

// Cases read {sources}, result, SCC after, SCC before.
constexpr uint32_t kMin = 0x80000000u, kMax = 0x7FFFFFFFu, kAll = 0xFFFFFFFFu;

TEST_CASE("scalar moves and selects", "[sim]") {
  check_scalar_rows({
      {"s_mov_b32", "s0, s1", {{{0x12345678}, 0x12345678}, {{0}, 0, true, true}}},
      {"s_mov_b32", "s0, -16", {{{}, 0xFFFFFFF0}}},
      {"s_mov_b32", "s0, 1.0", {{{}, 0x3F800000}}},
      {"s_mov_b32", "s0, 0.15915494", {{{}, 0x3E22F983}}},
      {"s_mov_b64", "s[0:1], s[2:3]", {{{0x123456789ABCDEF0}, 0x123456789ABCDEF0}}},
      {"s_mov_b64", "s[0:1], -1", {{{}, ~uint64_t{0}}}},
      {"s_mov_b64", "s[0:1], 0xfffffff0", {{{}, 0xFFFFFFF0}}},
      {"s_mov_b64", "s[0:1], 1.0", {{{}, 0x3FF0000000000000}}},
      {"s_movk_i32", "s0, 0x7fff", {{{}, 0x7FFF}}},
      {"s_movk_i32", "s0, 0x8000", {{{}, 0xFFFF8000}}},
      {"s_cmov_b32", "s0, s1", {{{7}, 7, true, true, 9}, {{7}, 9, false, false, 9}}},
      {"s_cmov_b64", "s[0:1], s[2:3]", {{{~uint64_t{6}}, ~uint64_t{6}, true, true, 9}, {{7}, 9, false, false, 9}}},
      {"s_cmovk_i32", "s0, 0xffff", {{{}, kAll, true, true, 9}, {{}, 9, false, false, 9}}},
      {"s_cselect_b32", "s0, s1, s2", {{{1, 2}, 1, true, true}, {{1, 2}, 2, false, false}}},
      {"s_cselect_b64", "s[0:1], s[2:3], s[4:5]", {{{1, 2}, 1, true, true}, {{1, uint64_t{2} << 40}, uint64_t{2} << 40}}},
      {"s_cselect_b64", "s[0:1], -1, 0", {{{}, ~uint64_t{0}, true, true}, {{}, 0, false, false}}},
  });
}

TEST_CASE("scalar sums and differences: carry and signed overflow", "[sim]") {
  check_scalar_rows({
      {"s_add_u32", "s0, s1, s2", {{{1, 2}, 3, false, true}, {{kAll, 1}, 0, true}, {{kMin, kMin}, 0, true}, {{kMax, 1}, kMin}}},
      {"s_sub_u32", "s0, s1, s2", {{{3, 2}, 1, false, true}, {{2, 3}, kAll, true}, {{5, 5}, 0}, {{0, kAll}, 1, true}}},
      {"s_add_i32", "s0, s1, s2",
       {{{kMax, 1}, kMin, true}, {{kMin, kAll}, kMax, true}, {{kAll, 1}, 0, false, true}, {{kMin, kMin}, 0, true}}},
      {"s_sub_i32", "s0, s1, s2",
       {{{kMin, 1}, kMax, true}, {{kMax, kAll}, kMin, true}, {{0, kMin}, kMin, true}, {{3, 5}, 0xFFFFFFFE, false, true}}},
      {"s_addc_u32", "s0, s1, s2",
       {{{1, 2}, 3, false, false}, {{1, 2}, 4, false, true}, {{kAll, 0}, 0, true, true}, {{kAll, kAll}, kAll, true, true}}},
      {"s_subb_u32", "s0, s1, s2",
       {{{5, 2}, 3, false, false}, {{5, 2}, 2, false, true}, {{5, 5}, kAll, true, true}, {{0, kAll}, 0, true, true},
        {{0, kAll}, 1, true, false}}},
      {"s_addk_i32", "s0, 0x7fff", {{{}, 0x8000, false, true, 1}, {{}, 0x80007FFE, true, false, kMax}}},
      {"s_addk_i32", "s0, 0xffff", {{{}, kMax, true, false, kMin}, {{}, 0xFFFFFFFE, false, true, kAll}}},
      {"s_lshl1_add_u32", "s0, s1, s2", {{{3, 5}, 11, false, true}, {{kMin, 0}, 0, true}, {{kMax, 1}, kAll}, {{kMax, 2}, 0, true}}},
      {"s_lshl2_add_u32", "s0, s1, s2", {{{3, 5}, 17, false, true}, {{0x40000000, 1}, 1, true}}},
      {"s_lshl3_add_u32", "s0, s1, s2", {{{3, 5}, 29, false, true}, {{0x20000000, 1}, 1, true}}},
      {"s_lshl4_add_u32", "s0, s1, s2", {{{3, 5}, 53, false, true}, {{0x10000000, 1}, 1, true}, {{0x0FFFFFFF, 15}, kAll}}},
  });
}

TEST_CASE("scalar extremes, products, absolute values", "[sim]") {
  check_scalar_rows({
      {"s_min_i32", "s0, s1, s2", {{{kAll, 1}, kAll, true}, {{1, kAll}, kAll, false, true}, {{4, 4}, 4, false, true}}},
      {"s_min_u32", "s0, s1, s2", {{{kAll, 1}, 1, false, true}, {{1, kAll}, 1, true}, {{4, 4}, 4, false, true}}},
      {"s_max_i32", "s0, s1, s2", {{{kAll, 1}, 1, false, true}, {{1, kAll}, 1, true}, {{4, 4}, 4, true}}},
      {"s_max_u32", "s0, s1, s2", {{{kAll, 1}, kAll, true}, {{1, kAll}, kAll, false, true}, {{4, 4}, 4, true}}},
      {"s_mul_i32", "s0, s1, s2", {{{7, 6}, 42, true, true}, {{kAll, 5}, 0xFFFFFFFB}, {{0x10000, 0x10000}, 0}}},
      {"s_mul_hi_u32", "s0, s1, s2", {{{kAll, kAll}, 0xFFFFFFFE}, {{0x10000, 0x10000}, 1}, {{kMin, 2}, 1}}},
      {"s_mul_hi_i32", "s0, s1, s2", {{{kAll, kAll}, 0}, {{kAll, 1}, kAll}, {{kMin, kMin}, 0x40000000}, {{kMin, 2}, kAll}}},
      {"s_mulk_i32", "s0, 0xfffe", {{{}, 0xFFFFFFF6, true, true, 5}}},
      {"s_mulk_i32", "s0, 0x3", {{{}, 15, false, false, 5}}},
      {"s_abs_i32", "s0, s1", {{{5}, 5, true}, {{0xFFFFFFFB}, 5, true}, {{kMin}, kMin, true}, {{0}, 0, false, true}}},
      {"s_absdiff_i32", "s0, s1, s2",
       {{{5, 8}, 3, true}, {{8, 5}, 3, true}, {{8, 8}, 0, false, true}, {{kMin, 0}, kMin, true}, {{kMax, kMin}, 1, true}}},
  });
}

}  // namespace
}  // namespace adahop::hip::sim::test
