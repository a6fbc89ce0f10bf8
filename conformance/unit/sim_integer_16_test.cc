// Vector operations with 16-bit results on hand-made vectors: what the other half of the register becomes, op_sel, clamp.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint32_t kOld = 0xA5A5A5A5u;  // lane_case::old

TEST_CASE("16-bit instructions of VOP2 and legacy ones zero the upper half", "[sim]") {
  check_rows({
      {"v_add_u16", "v0, v1, v2", {{{0xAAAA0001, 0xBBBB0002}, 3}, {{0xFFFF, 1}, 0}, {{0x8000, 0x8000}, 0}}},
      {"v_add_u16", "v0, v1, v2 clamp", {{{0xFFFF, 1}, 0xFFFF}, {{1, 2}, 3}}},
      {"v_add_u16", "v0, -1, v2", {{{5}, 4}}},
      {"v_sub_u16", "v0, v1, v2", {{{0xAAAA0005, 3}, 2}, {{3, 5}, 0xFFFE}}},
      {"v_sub_u16", "v0, v1, v2 clamp", {{{5, 3}, 2}, {{3, 5}, 0}}},
      {"v_subrev_u16", "v0, v1, v2", {{{5, 3}, 0xFFFE}, {{3, 5}, 2}}},
      {"v_subrev_u16", "v0, v1, v2 clamp", {{{5, 3}, 0}, {{3, 5}, 2}}},
      {"v_mul_lo_u16", "v0, v1, v2", {{{0xAAAA0007, 6}, 42}, {{0xFFFF, 0xFFFF}, 1}, {{0x100, 0x100}, 0}}},
      {"v_lshlrev_b16", "v0, v1, v2", {{{4, 0xAAAA1234}, 0x2340}, {{16, 7}, 7}, {{15, 3}, 0x8000}}},
      {"v_lshrrev_b16", "v0, v1, v2", {{{4, 0xAAAA9234}, 0x0923}, {{17, 7}, 3}}},
      {"v_ashrrev_i16", "v0, v1, v2", {{{4, 0xAAAA9234}, 0xF923}, {{15, 0x8000}, 0xFFFF}, {{17, 7}, 3}}},
      {"v_max_u16", "v0, v1, v2", {{{0xAAAAFFFF, 1}, 0xFFFF}, {{2, 1}, 2}}},
      {"v_max_i16", "v0, v1, v2", {{{0xAAAAFFFF, 1}, 1}, {{0x8000, 0x7FFF}, 0x7FFF}}},
      {"v_min_u16", "v0, v1, v2", {{{0xAAAAFFFF, 1}, 1}, {{2, 1}, 1}}},
      {"v_min_i16", "v0, v1, v2", {{{0xAAAAFFFF, 1}, 0xFFFF}, {{0x8000, 0x7FFF}, 0x8000}}},
      {"v_mad_legacy_u16", "v0, v1, v2, v3", {{{0xAAAA0002, 7, 9}, 23}, {{0xFFFF, 0xFFFF, 1}, 2}}},
      {"v_mad_legacy_u16", "v0, v1, v2, v3 clamp", {{{0xFFFF, 0xFFFF, 1}, 0xFFFF}, {{2, 7, 9}, 23}}},
      {"v_mad_legacy_i16", "v0, v1, v2, v3", {{{0xFFFF, 3, 5}, 2}, {{0xFFFF, 3, 1}, 0xFFFE}}},
      {"v_mad_legacy_i16", "v0, v1, v2, v3 clamp", {{{0x8000, 0x7FFF, 0}, 0x8000}, {{0x7FFF, 2, 0}, 0x7FFF}}},
      {"v_cvt_pk_u16_u32", "v0, v1, v2", {{{1, 2}, 0x00020001}, {{0x10000, 0xFFFFFFFF}, 0xFFFFFFFF}}},
      {"v_cvt_pk_i16_i32", "v0, v1, v2", {{{1, 0xFFFFFFFF}, 0xFFFF0001}, {{0x8000, 0xFFFF7FFF}, 0x80007FFF}}},
  });
}

TEST_CASE("16-bit instructions of VOP3 alone keep the other half; op_sel picks halves", "[sim]") {
  constexpr uint64_t kA = 0x00300002, kB = 0x00500007, kC = 0x00010009;
  constexpr uint32_t kHighKept = kOld & 0xFFFF0000u, kLowKept = kOld & 0xFFFFu;
  check_rows({
      {"v_add_i16", "v0, v1, v2", {{{kA, kB}, kHighKept | 9}, {{0x7FFF, 1}, kHighKept | 0x8000}}},
      {"v_add_i16", "v0, v1, v2 op_sel:[1,0,1]", {{{kA, kB}, 0x00370000 | kLowKept}}},
      {"v_add_i16", "v0, v1, v2 clamp", {{{0x7FFF, 1}, kHighKept | 0x7FFF}, {{0x8000, 0xFFFF}, kHighKept | 0x8000}}},
      {"v_sub_i16", "v0, v1, v2", {{{kA, kB}, kHighKept | 0xFFFB}}},
      {"v_sub_i16", "v0, v1, v2 op_sel:[0,1,0] clamp", {{{0x8000, 0x00010000}, kHighKept | 0x8000}, {{9, 0x00010000}, kHighKept | 8}}},
      {"v_mad_u16", "v0, v1, v2, v3", {{{kA, kB, kC}, kHighKept | 23}, {{0xFFFF, 0xFFFF, 1}, kHighKept | 2}}},
      {"v_mad_u16", "v0, v1, v2, v3 op_sel:[1,1,1,1]", {{{kA, kB, kC}, 0x0F010000 | kLowKept}}},
      {"v_mad_u16", "v0, v1, v2, v3 clamp", {{{0xFFFF, 0xFFFF, 1}, kHighKept | 0xFFFF}, {{kA, kB, kC}, kHighKept | 23}}},
      {"v_mad_i16", "v0, v1, v2, v3", {{{0xFFFF, 3, 5}, kHighKept | 2}}},
      {"v_mad_i16", "v0, v1, v2, v3 clamp", {{{0x8000, 0x8000, 0}, kHighKept | 0x7FFF}, {{0x8000, 0x7FFF, 0}, kHighKept | 0x8000}, {{0xFFFF, 3, 5}, kHighKept | 2}}},
      {"v_min3_u16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 5}}},
      {"v_min3_u16", "v0, v1, v2, v3 op_sel:[0,0,1,1]", {{{5, 6, 0x00040000}, 0x00040000 | kLowKept}}},
      {"v_min3_i16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 0xFFFF}}},
      {"v_max3_u16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 0xFFFF}}},
      {"v_max3_i16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 7}}},
      {"v_med3_u16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 7}, {{3, 1, 2}, kHighKept | 2}}},
      {"v_med3_i16", "v0, v1, v2, v3", {{{5, 0xFFFF, 7}, kHighKept | 5}, {{1, 2, 3}, kHighKept | 2}}},
      {"v_bitop3_b16", "v0, v1, v2, v3 bitop3:0x6c", {{{0xF0F0, 0xCCCC, 0xAAAA}, kHighKept | 0x6C6C}}},
      {"v_bitop3_b16", "v0, v1, v2, v3 bitop3:0x81 op_sel:[1,1,1,1]", {{{0xF0F00000, 0xCCCC0000, 0xAAAA0000}, 0x81810000 | kLowKept}}},
      {"v_bitop3_b16", "v0, v1, v2, v3", {{{1, 2, 3}, kHighKept}}},
      {"v_ashr_pk_i8_i32", "v0, v1, v2, v3",
       {{{0x7F0, 0xFFFFF800, 4}, kHighKept | 0x807F}, {{0x80, 0xFFFFFF7F, 0}, kHighKept | 0x807F}, {{0x50, 0xFFFFFFF0, 36}, kHighKept | 0xFF05}}},
      {"v_ashr_pk_i8_i32", "v0, v1, v2, v3 op_sel:[0,0,0,1]", {{{0x50, 0xFFFFFFF0, 4}, 0xFF050000 | kLowKept}}},
      {"v_ashr_pk_u8_i32", "v0, v1, v2, v3", {{{0xFF0, 0xFFFFFFF0, 4}, kHighKept | 0x00FF}, {{0x1000, 0x50, 4}, kHighKept | 0x05FF}}},
  });
}

TEST_CASE("constants written as floats are refused in 16-bit integer operations", "[sim]") {
  CHECK(sim_test_wave().fault_of("v_add_u16_e32 v0, 1.0, v1") == "not modelled");
  CHECK(sim_test_wave().fault_of("v_mad_u16 v0, v1, 1.0, v2") == "not modelled");
  CHECK(sim_test_wave().fault_of("v_mad_u32_u16 v0, v1, v2, v3 op_sel:[0,0,1,0]") == "not modelled");
  CHECK(sim_test_wave().fault_of("v_ashr_pk_i8_i32 v0, v1, v2, v3 op_sel:[1,0,0,0]") == "not modelled");
}

}  // namespace
}  // namespace adahop::hip::sim::test
