// Rounding to integral values, powers of two and parts of floats in the simulator, on hand-made vectors.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

namespace {

constexpr uint64_t k2_5 = 0x40200000, km2_5 = 0xC0200000, km3 = 0xC0400000, km1_5 = 0xBFC00000, km0_5 = 0xBF000000;
constexpr uint64_t kBig = 0x4B000001;      // 2^23 + 1: integral
constexpr uint64_t kHalfwayBig = 0x4AFFFFFF;  // 2^23 - 0.5

}  // namespace

TEST_CASE("simulator: FP32 to integral values") {
  const std::vector<lane_case> unchanged = {{{kF0}, kF0},   {{kFm0}, kFm0},     {{kF3}, kF3},
                                            {{kBig}, kBig}, {{kFInf}, kFInf},   {{kFmInf}, kFmInf},
                                            {{kFMax}, kFMax}, {{kFQuiet1}, kFQuiet1}, {{kFSignal}, kFSignalQuieted}};
  for (const char* mnemonic : {"v_trunc_f32", "v_floor_f32", "v_ceil_f32", "v_rndne_f32"})
    check_row(vector_row{mnemonic, "v0, v2", unchanged});
  check_rows(std::vector<vector_row>{
      {"v_trunc_f32", "v0, v2",
       {{{k2_5}, kF2}, {{km2_5}, kFm2}, {{km0_5}, kFm0}, {{kFTiny}, kF0}, {{0x3F7FFFFF}, kF0},
        {{kHalfwayBig}, 0x4AFFFFFE}}},
      {"v_floor_f32", "v0, v2",
       {{{k2_5}, kF2}, {{km2_5}, km3}, {{km0_5}, kFm1}, {{kFTiny}, kF0}, {{0x80000001}, kFm1}, {{0xC07FFFFF}, 0xC0800000}}},
      {"v_ceil_f32", "v0, v2",
       {{{k2_5}, kF3}, {{km2_5}, kFm2}, {{km0_5}, kFm0}, {{kFTiny}, kF1}, {{0x80000001}, kFm0}, {{0x407FFFFF}, kF4}}},
      {"v_rndne_f32", "v0, v2",
       {{{k2_5}, kF2},
        {{0x40600000}, kF4},          // 3.5
        {{kF1_5}, kF2},
        {{km1_5}, kFm2},
        {{kFHalf}, kF0},
        {{km0_5}, kFm0},
        {{0x3F000001}, kF1},
        {{0x3EFFFFFF}, kF0},
        {{0xBE800000}, kFm0},         // -0.25 keeps its sign
        {{kHalfwayBig}, 0x4B000000},  // 2^23 - 0.5: even
        {{0x4B7FFFFF}, 0x4B7FFFFF}}},
  });
}

TEST_CASE("simulator: FP64 and FP16 to integral values") {
  const uint64_t d2_5 = 0x4004000000000000, dm2_5 = 0xC004000000000000, dm2 = 0xC000000000000000, dm3 = 0xC008000000000000;
  check_rows(std::vector<vector_row>{
      {"v_trunc_f64", "v[0:1], v[2:3]",
       {{{d2_5}, kD2}, {{dm2_5}, dm2}, {{kDTiny}, kD0}, {{kDSignal}, kDSignalQuieted}, {{kDMax}, kDMax}}},
      {"v_floor_f64", "v[0:1], v[2:3]",
       {{{d2_5}, kD2}, {{dm2_5}, dm3}, {{0x8000000000000001}, kDm1}, {{kDm0}, kDm0}, {{kDInf}, kDInf}}},
      {"v_ceil_f64", "v[0:1], v[2:3]", {{{d2_5}, kD3}, {{dm2_5}, dm2}, {{kDTiny}, kD1}, {{0x8000000000000001}, kDm0}}},
      {"v_rndne_f64", "v[0:1], v[2:3]",
       {{{d2_5}, kD2}, {{0x400C000000000000}, kD4}, {{kDHalf}, kD0}, {{0x3FE0000000000001}, kD1},
        {{0xBFE0000000000000}, kDm0}}},
      {"v_trunc_f16", "v0, v2",
       {{{0x4100}, kH2}, {{0xC100}, 0xC000}, {{kHTiny}, 0}, {{kHSignal}, kHSignalQuieted}, {{kHMax}, kHMax}}},
      {"v_floor_f16", "v0, v2", {{{0x4100}, kH2}, {{0xC100}, 0xC200}, {{0x8001}, kHm1}, {{kHm0}, kHm0}}},
      {"v_ceil_f16", "v0, v2", {{{0x4100}, kH3}, {{0xC100}, 0xC000}, {{kHTiny}, kH1}, {{0x8001}, kHm0}}},
      {"v_rndne_f16", "v0, v2",
       {{{0x4100}, kH2}, {{0x4300}, kH4}, {{kHHalf}, 0}, {{0x3801}, kH1}, {{0xB800}, kHm0}, {{kHInf}, kHInf}}},
  });
}

TEST_CASE("simulator: the fraction is below 1") {
  check_rows(std::vector<vector_row>{
      {"v_fract_f32", "v0, v2",
       {{{k2_5}, kFHalf}, {{km2_5}, kFHalf}, {{kF3}, kF0}, {{0xBE800000}, 0x3F400000}, {{0x80000001}, 0x3F7FFFFF},
        {{kFInf}, kFNan}, {{kFSignal}, kFSignalQuieted}}},
      {"v_fract_f64", "v[0:1], v[2:3]",
       {{{0xC004000000000000}, kDHalf}, {{kD3}, kD0}, {{0x8000000000000001}, 0x3FEFFFFFFFFFFFFF}, {{kDmInf}, kDNan}}},
  });
}

TEST_CASE("simulator: ldexp rounds once") {
  const uint64_t minus1 = 0xFFFFFFFF;
  check_rows(std::vector<vector_row>{
      {"v_ldexp_f32", "v0, v2, v4",
       {{{kF1_5, 1}, kF3},
        {{kF1, minus1}, kFHalf},
        {{kF1, 0xFFFFFF6B}, kFTiny},            // 2^-149
        {{kF1, 0xFFFFFF6A}, kF0},               // 2^-150, a tie
        {{0x3F800001, 0xFFFFFF6A}, kFTiny},
        {{kF1_5, 0xFFFFFF6B}, 2},
        {{kF1, 127}, 0x7F000000},
        {{kF1, 128}, kFInf},
        {{kFTiny, 0x115}, 0x7F000000 + 0x00800000},  // 2^-149 * 2^277 = 2^128
        {{kFTiny, 0x114}, 0x7F000000},
        {{kFm1, 0x7FFFFFFF}, kFmInf},
        {{kFMax, 0x80000000}, kF0},
        {{kFm0, 100}, kFm0},
        {{kFInf, 0xFFFFFF00}, kFInf},
        {{kFSignal, 1}, kFSignalQuieted}}},
      {"v_ldexp_f32", "v0, -v2, 2", {{{kF1}, 0xC0800000}}},
      {"v_ldexp_f64", "v[0:1], v[2:3], v4",
       {{{kD1, 1}, kD2}, {{kD1, 0xFFFFFBCE}, kDTiny}, {{kD1, 0xFFFFFBCD}, kD0}, {{kD1, 1024}, kDInf}, {{kDTiny, 1074}, kD1},
        {{kDTiny, 0x7FFFFFFF}, kDInf}, {{kDSignal, 0}, kDSignalQuieted}}},
      {"v_ldexp_f16", "v0, v2, v4",
       {{{kH1, 1}, kH2}, {{kH1, 0xFFE8}, kHTiny}, {{kH1, 0xFFE7}, 0}, {{kH1, 16}, kHInf}, {{kH1, 0x00010001}, kH2}}},
  });
}

TEST_CASE("simulator: exponents and significands, subnormals by value") {
  check_rows(std::vector<vector_row>{
      {"v_frexp_exp_i32_f32", "v0, v2",
       {{{kF1}, 1}, {{kFHalf}, 0}, {{kF3}, 2}, {{kFTiny}, 0xFFFFFF6C}, {{kFNormal}, 0xFFFFFF83}, {{kFMax}, 128}, {{kF0}, 0},
        {{kFInf}, 0}, {{kFQuiet1}, 0}}},
      {"v_frexp_mant_f32", "v0, v2",
       {{{kF1}, kFHalf}, {{kF3}, 0x3F400000}, {{kFm2}, 0xBF000000}, {{kFTiny}, kFHalf}, {{3}, 0x3F400000}, {{kFm0}, kFm0},
        {{kFmInf}, kFmInf}, {{kFSignal}, kFSignalQuieted}}},
      {"v_frexp_exp_i32_f64", "v0, v[2:3]",
       {{{kD1}, 1}, {{kDTiny}, 0xFFFFFBCF}, {{kDMax}, 1024}, {{kDInf}, 0}, {{kD0}, 0}}},
      {"v_frexp_mant_f64", "v[0:1], v[2:3]",
       {{{kD3}, 0x3FE8000000000000}, {{kDTiny}, kDHalf}, {{kDm0}, kDm0}, {{kDSignal}, kDSignalQuieted}}},
  });
}
