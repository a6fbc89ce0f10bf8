// Vector 32 and 64 bit sums, products and extremes on hand-made vectors.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kMin = 0x80000000u, kMax = 0x7FFFFFFFu, kAll = 0xFFFFFFFFu, kAll64 = ~uint64_t{0};

TEST_CASE("vector sums and differences wrap, or saturate with clamp", "[sim]") {
  check_rows({
      {"v_add_u32", "v0, v1, v2", {{{1, 2}, 3}, {{kAll, 1}, 0}, {{kMin, kMin}, 0}, {{kMax, 1}, kMin}}},
      {"v_add_u32", "v0, v1, v2 clamp", {{{1, 2}, 3}, {{kAll, 1}, kAll}, {{kMin, kMin}, kAll}, {{kMax, 1}, kMin}}},
      {"v_add_u32", "v0, 64, v2", {{{2}, 66}}},
      {"v_sub_u32", "v0, v1, v2", {{{5, 3}, 2}, {{3, 5}, 0xFFFFFFFE}, {{0, kAll}, 1}}},
      {"v_sub_u32", "v0, v1, v2 clamp", {{{5, 3}, 2}, {{3, 5}, 0}, {{0, kAll}, 0}}},
      {"v_subrev_u32", "v0, v1, v2", {{{5, 3}, 0xFFFFFFFE}, {{3, 5}, 2}}},
      {"v_subrev_u32", "v0, v1, v2 clamp", {{{5, 3}, 0}, {{3, 5}, 2}}},
      {"v_add_i32", "v0, v1, v2", {{{kMax, 1}, kMin}, {{kAll, 3}, 2}}},
      {"v_add_i32", "v0, v1, v2 clamp", {{{kMax, 1}, kMax}, {{kMin, kAll}, kMin}, {{kAll, 3}, 2}}},
      {"v_sub_i32", "v0, v1, v2", {{{kMin, 1}, kMax}, {{3, 5}, 0xFFFFFFFE}}},
      {"v_sub_i32", "v0, v1, v2 clamp", {{{kMin, 1}, kMin}, {{kMax, kAll}, kMax}, {{0, kMin}, kMax}, {{3, 5}, 0xFFFFFFFE}}},
      {"v_add3_u32", "v0, v1, v2, v3", {{{1, 2, 3}, 6}, {{kAll, kAll, 3}, 1}}},
      {"v_xad_u32", "v0, v1, v2, v3", {{{0xFF, 0x0F, 1}, 0xF1}, {{kAll, 0, 1}, 0}}},
      {"v_lshl_add_u32", "v0, v1, v2, v3", {{{3, 4, 5}, 53}, {{1, 33, 0}, 2}, {{kMin, 1, 7}, 7}}},
      {"v_add_lshl_u32", "v0, v1, v2, v3", {{{3, 4, 5}, 224}, {{kAll, 1, 4}, 0}, {{1, 1, 33}, 4}}},
      {"v_lshl_add_u64", "v[0:1], v[2:3], v4, v[6:7]",
       {{{uint64_t{1} << 60, 4, 5}, 5}, {{kAll, 1, 1}, 0x1FFFFFFFF}, {{kAll64, 0, 1}, 0}, {{3, 8, 4}, 7}}},
      {"v_lshl_add_u64", "v[0:1], s[2:3], 0, v[6:7]", {{{kAll, 1}, 0x100000000}}},
      {"v_lshl_add_u64", "v[0:1], v[2:3], 3, -1", {{{2}, 15}}},
  });
}

TEST_CASE("v_lshl_add_u64 by more than 4 is refused in lanes that are on", "[sim]") {
  sim_test_wave w;
  w.set_vector(4, [](unsigned lane) { return lane == 9 ? 5u : 1u; });
  CHECK(w.fault_of("v_lshl_add_u64 v[0:1], v[2:3], v4, v[6:7]") == "not modelled");
  w.set_exec(~(uint64_t{1} << 9));
  CHECK(w.fault_of("v_lshl_add_u64 v[0:1], v[2:3], v4, v[6:7]").empty());
}

struct carry_case {
  uint32_t a, b;
  bool carry_in;
  uint32_t result;
  bool carry_out;
};

// Sums in v0 with their carry in VCC and in a scalar pair; lanes that are off keep v0 and get carry 0.
void check_carry(const std::string& mnemonic, bool takes_carry, const std::vector<carry_case>& cases) {
  INFO(mnemonic);
  for (const std::string mask : {"vcc", "s[8:9]"})
    for (const uint64_t exec : {kAll64, uint64_t{0x3333333333333333u}}) {
      sim_test_wave w;
      const unsigned out = mask == "vcc" ? kVccLow : 8u;
      const auto of = [&](unsigned lane) { return cases[lane / 4 % cases.size()]; };
      uint64_t carry_in = 0, carry_out = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        carry_in |= uint64_t{of(lane).carry_in} << lane;
        carry_out |= uint64_t{of(lane).carry_out && (exec >> lane & 1u) != 0} << lane;
      }
      w.set_vector(1, [&](unsigned lane) { return of(lane).a; });
      w.set_vector(2, [&](unsigned lane) { return of(lane).b; });
      w.set_vcc(carry_in);
      w.set_exec(exec);
      w.run(mnemonic + " v0, " + mask + ", v1, v2" + (takes_carry ? ", vcc" : ""));
      w.expect_lanes(0, [&](unsigned lane) { return of(lane).result; });
      CHECK(w.scalar64(out) == carry_out);
    }
}

TEST_CASE("sums and differences with carry and borrow", "[sim]") {
  const uint32_t all = 0xFFFFFFFFu;
  check_carry("v_add_co_u32", false, {{1, 2, true, 3, false}, {all, 1, false, 0, true}, {all, all, false, all - 1, true}, {all, 0, false, all, false}});
  check_carry("v_sub_co_u32", false, {{5, 3, true, 2, false}, {3, 5, false, all - 1, true}, {4, 4, false, 0, false}, {0, all, false, 1, true}});
  check_carry("v_subrev_co_u32", false, {{3, 5, true, 2, false}, {5, 3, false, all - 1, true}, {all, 0, false, 1, true}});
  check_carry("v_addc_co_u32", true, {{1, 2, false, 3, false}, {1, 2, true, 4, false}, {all, 0, true, 0, true}, {all, all, true, all, true}});
  check_carry("v_subb_co_u32", true, {{5, 3, false, 2, false}, {5, 3, true, 1, false}, {4, 4, true, all, true}, {0, all, true, 0, true}});
  check_carry("v_subbrev_co_u32", true, {{3, 5, false, 2, false}, {3, 5, true, 1, false}, {4, 4, true, all, true}, {all, 0, true, 0, true}});
}

TEST_CASE("a carry under DPP that switches lanes off is refused", "[sim]") {
  sim_test_wave w;
  CHECK(w.fault_of("v_add_co_u32_dpp v0, vcc, v1, v2 row_shl:1 row_mask:0xf bank_mask:0xf") == "not modelled");
  CHECK(w.fault_of("v_add_co_u32_dpp v0, vcc, v1, v2 row_ror:1 row_mask:0xf bank_mask:0xf").empty());
}

TEST_CASE("vector products", "[sim]") {
  check_rows({
      {"v_mul_lo_u32", "v0, v1, v2", {{{7, 6}, 42}, {{kAll, kAll}, 1}, {{0x10000, 0x10000}, 0}}},
      {"v_mul_hi_u32", "v0, v1, v2", {{{kAll, kAll}, 0xFFFFFFFE}, {{0x10000, 0x10000}, 1}, {{7, 6}, 0}}},
      {"v_mul_hi_i32", "v0, v1, v2", {{{kAll, kAll}, 0}, {{kAll, 1}, kAll}, {{kMin, kMin}, 0x40000000}, {{kMin, kMax}, 0xC0000000}}},
      // Bits 24 and up of the sources do not count.
      {"v_mul_u32_u24", "v0, v1, v2", {{{0xFF000003, 5}, 15}, {{0xFFFFFF, 0xFFFFFF}, 0xFE000001}}},
      {"v_mul_hi_u32_u24", "v0, v1, v2", {{{0xFF000003, 5}, 0}, {{0xFFFFFF, 0xFFFFFF}, 0xFFFF}}},
      {"v_mul_i32_i24", "v0, v1, v2", {{{0xFFFFFF, 5}, 0xFFFFFFFB}, {{0x7F000003, 5}, 15}, {{0x800000, 0x800000}, 0}}},
      {"v_mul_hi_i32_i24", "v0, v1, v2", {{{0xFFFFFF, 5}, kAll}, {{0x800000, 0x800000}, 0x4000}, {{0x800000, 0x7FFFFF}, 0xFFFFC000}}},
      {"v_mad_u32_u24", "v0, v1, v2, v3", {{{0xFF000003, 5, 7}, 22}, {{0xFFFFFF, 0xFFFFFF, 0xFFFFFF}, 0xFF000000}}},
      {"v_mad_i32_i24", "v0, v1, v2, v3", {{{0xFFFFFF, 5, 7}, 2}, {{3, 5, kAll}, 14}}},
      {"v_mad_u32_u16", "v0, v1, v2, v3", {{{0x1FFFF, 0xFFFF, 1}, 0xFFFE0002}, {{2, 3, kAll}, 5}}},
      {"v_mad_u32_u16", "v0, v1, v2, v3 op_sel:[1,0,0,0]", {{{0x30002, 0x50007, 1}, 22}}},
      {"v_mad_i32_i16", "v0, v1, v2, v3", {{{0x1FFFF, 3, 1}, 0xFFFFFFFE}, {{0x8000, 0x8000, 0}, 0x40000000}}},
      {"v_mad_i32_i16", "v0, v1, v2, v3 op_sel:[0,1,0,0]", {{{2, 0xFFFF0000, 1}, kAll}}},
  });
}

TEST_CASE("64-bit products with addend: result and carry", "[sim]") {
  check_rows({
      {"v_mad_u64_u32", "v[0:1], vcc, v2, v3, v[4:5]",
       {{{kAll, kAll, 0}, 0xFFFFFFFE00000001}, {{kAll, kAll, kAll64}, 0xFFFFFFFE00000000}, {{2, 3, 4}, 10}}},
      {"v_mad_u64_u32", "v[0:1], s[8:9], v2, 3, 0", {{{kAll}, 0x2FFFFFFFD}}},
      {"v_mad_i64_i32", "v[0:1], vcc, v2, v3, v[4:5]",
       {{{kAll, 5, 0}, 0xFFFFFFFFFFFFFFFB}, {{kMin, kMin, 0}, 0x4000000000000000}, {{kAll, kAll, kAll64}, 0}, {{kAll, 1, 0}, kAll64}}},
  });
  sim_test_wave w;
  w.set_exec(0x7F);
  w.set_vector(2, 0xFFFFFFFFu);
  w.set_vector(3, std::vector<uint32_t>{1, 1, 1, 0xFFFFFFFFu, 0xFFFFFFFFu, 2, 0xFFFFFFFFu, 1});
  const uint64_t addends[] = {0, kAll64, kAll64 >> 1, kAll64, kAll64 >> 1, uint64_t{1} << 63, 1, kAll64};
  w.set_vector64(4, [&](unsigned lane) { return addends[lane % 8]; });
  w.run("v_mad_u64_u32 v[0:1], vcc, v2, v3, v[4:5]");
  // 2^32 - 1 carries onto 2^64 - 1 (lane 1), (2^32 - 1)^2 too (lane 3) and onto 2^63 - 1 (lane 4: 2^64 - 2^33 + 2^63).
  CHECK(w.state().vcc() == 0x1A);
  w.run("v_mad_i64_i32 v[0:1], vcc, v2, v3, v[4:5]");
  // Signs of -1, -2, 2^63 - 2, 0, 2^63, -2 - 2^63, 2: the fifth needs the 65th bit, the sixth too.
  CHECK(w.state().vcc() == 0x23);
}

TEST_CASE("vector extremes", "[sim]") {
  check_rows({
      {"v_min_i32", "v0, v1, v2", {{{kAll, 1}, kAll}, {{kMin, kMax}, kMin}}},
      {"v_max_i32", "v0, v1, v2", {{{kAll, 1}, 1}, {{kMin, kMax}, kMax}}},
      {"v_min_u32", "v0, v1, v2", {{{kAll, 1}, 1}, {{kMin, kMax}, kMax}}},
      {"v_max_u32", "v0, v1, v2", {{{kAll, 1}, kAll}, {{kMin, kMax}, kMin}}},
      {"v_min3_i32", "v0, v1, v2, v3", {{{1, kAll, 3}, kAll}, {{kMin, 0, kAll}, kMin}}},
      {"v_max3_i32", "v0, v1, v2, v3", {{{1, kAll, 3}, 3}, {{kMin, 0, kAll}, 0}}},
      {"v_med3_i32", "v0, v1, v2, v3", {{{1, kAll, 3}, 1}, {{3, 1, 2}, 2}, {{2, 3, 1}, 2}, {{kMin, 0, kAll}, kAll}, {{5, 5, 9}, 5}}},
      {"v_min3_u32", "v0, v1, v2, v3", {{{1, kAll, 3}, 1}, {{kMin, 7, kAll}, 7}}},
      {"v_max3_u32", "v0, v1, v2, v3", {{{1, kAll, 3}, kAll}, {{kMin, 7, 8}, kMin}}},
      {"v_med3_u32", "v0, v1, v2, v3", {{{1, kAll, 3}, 3}, {{3, 1, 2}, 2}, {{kMin, 0, kAll}, kMin}, {{9, 5, 9}, 9}}},
  });
}

}  // namespace
}  // namespace adahop::hip::sim::test
