// Source and output modifiers of float opcodes in the simulator: neg, abs, clamp, omod, constants, SDWA and DPP.
#include <bit>

#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: abs comes before neg, and both reach NaNs") {
  check_rows(std::vector<vector_row>{
      {"v_add_f32", "v0, -v2, v4",
       {{{kF1, kF3}, kF2}, {{kFm1, kF2}, kF3}, {{kFQuiet2, kF1}, 0x7FC00002}, {{kF0, kFm0}, kFm0}}},
      {"v_add_f32", "v0, |v2|, v4", {{{kFm1, kF2}, kF3}, {{kFSignal, kF1}, kFQuiet1}}},
      {"v_add_f32", "v0, -|v2|, v4", {{{kFm1, kF3}, kF2}, {{kF1, kF3}, kF2}, {{kFQuiet1, kF3}, 0xFFC00001}}},
      {"v_fma_f32", "v0, -v2, |v4|, -v6", {{{kF2, kFm2, kFm1}, 0xC0400000}}},  // -4 + 1
      {"v_fmac_f32", "v0, -v2, |v4|", {{{kF1, kFm2}, kF2, kF4}}},
      {"v_max_f32", "v0, -v2, -v4", {{{kF1, kF2}, kFm1}, {{kF0, kFm0}, kF0}}},
      {"v_rndne_f32", "v0, -|v2|", {{{0x40200000}, kFm2}}},
      {"v_mul_f64", "v[0:1], -v[2:3], |v[4:5]|", {{{kD2, kDm1}, 0xC000000000000000}}},
  });
}

TEST_CASE("simulator: clamp to [0, 1], NaN becomes 0") {
  const std::vector<lane_case> sums = {{{kF1, kF2}, kF1},
  {{kFHalf, kF0}, kFHalf},     {{kFm1, kF0}, kF0},      {{kFm0, kFm0}, kF0},
                                       {{kF1, kF0}, kF1}, {{0x3F7FFFFF, kF0}, 0x3F7FFFFF}, {{kFTiny, kF0}, kFTiny},
                                       {{kFInf, kF1}, kF1},
                                       {{kFInf, kFmInf}, kF0}, {{kFQuiet1, kF1}, kF0},  {{kFmInf, kF1}, kF0}};
  check_row(vector_row{"v_add_f32", "v0, v2, v4 clamp", sums});
  check_rows(std::vector<vector_row>{
      {"v_max_f32", "v0, v2, v2 clamp", {{{kF2, kF2}, kF1}, {{kFQuiet1, kFQuiet1}, kF0}, {{kFHalf, kFHalf}, kFHalf}}},
      {"v_fma_f32", "v0, v2, v4, v6 clamp", {{{kF2, kF3, kF1}, kF1}, {{kF1, kFHalf, kF0}, kFHalf}}},
      {"v_cvt_f32_u32", "v0, v2 clamp", {{{7}, kF1}, {{0}, kF0}}},
  });
}

TEST_CASE("simulator: output modifiers mean nothing under IEEE mode and are refused") {
  sim_test_wave w;
  for (const char* text : {"v_add_f32 v0, v2, v4 mul:2", "v_add_f32 v0, v2, v4 mul:4", "v_mul_f32 v0, v2, v4 div:2",
                           "v_add_f64 v[0:1], v[2:3], v[4:5] mul:2", "v_add_f16 v0, v2, v4 div:2", "v_cvt_f32_u32 v0, v2 mul:4",
                           "v_fma_f16 v0, v2, v4, v6 mul:2", "v_cmp_lt_f32 s[0:1], v2, v4 mul:2"})
    CHECK(w.fault_of(text) == "not modelled");
  CHECK(w.fault_of("v_cvt_i32_f32 v0, v2 clamp") == "not modelled");
  CHECK(w.fault_of("v_frexp_exp_i32_f32 v0, v2 clamp") == "not modelled");
}

TEST_CASE("simulator: integer sources of float operations have no sign to flip") {
  sim_test_wave w;
  for (const char* text : {"v_ldexp_f32 v0, v2, -v4", "v_cmp_class_f32 s[0:1], v2, |v4|", "v_cvt_f32_u32 v0, -v2",
                           "v_cvt_sr_bf16_f32 v0, v2, -v4"})
    CHECK(w.fault_of(text) == "not modelled");
}

TEST_CASE("simulator: constants of float operations") {
  check_rows(std::vector<vector_row>{
      {"v_add_f32", "v0, 1.0, v4", {{{kF2}, kF3}}},
      {"v_mul_f32", "v0, 0x40490fdb, v4", {{{kF1}, 0x40490FDB}}},
      {"v_mul_f32", "v0, 0.15915494, v4", {{{kF1}, 0x3E22F983}}},
      {"v_add_f32", "v0, 1, v4", {{{kF0}, kFTiny}}},  // an inline integer is a pattern
      {"v_add_f32", "v0, -1, v4", {{{kF0}, 0xFFFFFFFF}}},
      {"v_add_f32", "v0, s8, v4", {{{kF1, kF2}, kF3}}},
      {"v_add_f64", "v[0:1], v[2:3], 0.5", {{{kDHalf}, kD1}}},
      {"v_mul_f64", "v[0:1], s[2:3], v[4:5]", {{{kD2, kD2}, kD4}}},
      {"v_mul_f16", "v0, 0.15915494, v4", {{{kH1}, 0x3118}}},
      {"v_max_f16", "v0, 4.0, v4", {{{kH1}, kH4}}},
  });
}

TEST_CASE("simulator: float opcodes with SDWA") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_f32_f16_sdwa", "v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", {{{kH3 << 16 | kH1}, kF3}}},
      {"v_cvt_f32_f16_sdwa", "v0, -|v2| dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1", {{{kHm1 << 16 | kH2}, kFm1}}},
      {"v_cvt_f32_ubyte0_sdwa", "v0, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_2", {{{0x00030201}, kF3}}},
      {"v_add_f16_sdwa", "v0, v2, v4 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:WORD_0",
       {{{kH1 << 16 | kH4, kH4 << 16 | kH2}, kH3 << 16 | 0xBBBB, 0xAAAABBBB}}},
      {"v_add_f32_sdwa", "v0, v2, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD",
       {{{kF1, kF2}, kF3}}},
      {"v_cmp_lt_f16_sdwa", "vcc, v2, v4 src0_sel:WORD_0 src1_sel:WORD_1", {{{kH1, kH2 << 16}, 1}, {{kH3, kH2 << 16}, 0}}},
  });
}

TEST_CASE("simulator: float opcodes with DPP") {
  sim_test_wave w;
  const auto number = [](unsigned lane) { return 0x3F800000u + (lane << 23); };  // 2^lane
  w.set_vector(2, number);
  w.set_vector(4, 0u);
  w.run("v_add_f32_dpp v0, v2, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  w.expect_lanes(0, [&](unsigned lane) { return number(lane ^ 1u); });
  w.set_vector(0, 0xAAAAAAAAu);
  w.run("v_max_f32_dpp v0, v2, v4 row_shr:1 row_mask:0xf bank_mask:0xf");
  w.expect_lanes(0, [&](unsigned lane) { return lane % 16 == 0 ? 0xAAAAAAAAu : number(lane - 1); });
  w.set_vector(0, static_cast<uint32_t>(kF1));
  w.set_vector(4, static_cast<uint32_t>(kF1));
  w.run("v_fmac_f32_dpp v0, -v2, v4 row_half_mirror row_mask:0x1 bank_mask:0xf");
  w.expect_lanes(0, [](unsigned lane) {
    if (lane >= 16) return 0x3F800000u;
    const float from = static_cast<float>(1u << (lane / 8 * 8 + 7 - lane % 8));
    return std::bit_cast<uint32_t>(1.0f - from);
  });
}
