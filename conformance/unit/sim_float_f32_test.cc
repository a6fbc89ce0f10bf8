// FP32 arithmetic of the simulator on hand-made vectors: ties, subnormals, signed zeros, Inf, and which NaN comes out.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: FP32 sums and products") {
  check_rows(std::vector<vector_row>{
      {"v_add_f32", "v0, v2, v4",
       {{{kF1, kF2}, kF3},
        {{kF1, 0x33800000}, kF1},                  // 2^-24 is half an ulp: even
        {{0x3F800001, 0x33800000}, 0x3F800002},    // likewise, upward
        {{kF1, 0x33800001}, 0x3F800001},
        {{kFMax, 0x73000000}, kFInf},              // half an ulp above the largest
        {{kFMax, 0x72FFFFFF}, kFMax},
        {{kFTiny, kFTiny}, 2},
        {{kFNormal, 0x80000001}, 0x007FFFFF},      // into the subnormals
        {{kF0, kFm0}, kF0},
        {{kFm0, kFm0}, kFm0},
        {{kF1, kFm1}, kF0},
        {{kFInf, kF1}, kFInf},
        {{kFInf, kFmInf}, kFNan},
        {{kFQuiet1, kFQuiet2}, kFQuiet1},
        {{kF1, kFQuiet2}, kFQuiet2},
        {{kFmInf, kFSignal}, kFSignalQuieted},
        {{kFSignal, kFQuiet1}, kFSignalQuieted}}},
      {"v_sub_f32", "v0, v2, v4",
       {{{kF3, kF1}, kF2}, {{kF1, kF1}, kF0}, {{kFm0, kF0}, kFm0}, {{kFInf, kFInf}, kFNan}, {{kF1, kFQuiet2}, kFQuiet2}}},
      {"v_subrev_f32", "v0, v2, v4",
       {{{kF1, kF3}, kF2}, {{kF0, kFm0}, kFm0}, {{kFInf, kFInf}, kFNan}, {{kFQuiet1, kFQuiet2}, kFQuiet1}}},
      {"v_mul_f32", "v0, v2, v4",
       {{{kF1_5, kF1_5}, 0x40100000},
        {{0x3F800001, 0x3F800001}, 0x3F800002},    // 1 + 2^-22 + 2^-46
        {{kFNormal, kFHalf}, 0x00400000},
        {{kFTiny, kFHalf}, kF0},                   // a tie: even
        {{0x00000003, kFHalf}, 2},                 // 1.5: even
        {{0x80000001, kFHalf}, kFm0},
        {{0x71800000, 0x71800000}, kFInf},         // 2^200
        {{kFm1, kF0}, kFm0},
        {{kF0, kFInf}, kFNan},
        {{kFmInf, kFm2}, kFInf},
        {{kFSignal, kFInf}, kFSignalQuieted},
        {{kF0, kFQuiet1}, kFQuiet1}}},
      {"v_mul_legacy_f32", "v0, v2, v4",
       {{{kF2, kF1_5}, kF3}, {{kF0, kFInf}, kF0}, {{kFm0, kFQuiet1}, kF0}, {{kFm1, kFm0}, kF0},
        {{kF1, kFSignal}, kFSignalQuieted}}},
  });
}

TEST_CASE("simulator: FP32 fused multiply-add") {
  // 2^-12 (1 + 2^-23) times 2^-12 (1 - 2^-23) is 2^-24 (1 - 2^-46): just below half an ulp of 1 + 2^-23.
  const uint64_t just_above = 0x39800001, just_below = 0x397FFFFE;
  check_rows(std::vector<vector_row>{
      {"v_fma_f32", "v0, v2, v4, v6",
       {{{kF2, kF3, kF4}, 0x41200000},             // 10
        {{0x3F800001, 0x3F800001, 0xBF800002}, 0x28800000},  // what a rounded product loses: 2^-46
        {{just_above, just_below, 0x3F800001}, 0x3F800001},  // a sum rounded to FP64 first would go up
        {{just_above, just_below, 0xBF800001}, 0xBF800001},
        {{kF1, 0x33800000, kF1}, kF1},
        {{kFTiny, kFHalf, kFTiny}, 2},             // 1.5 subnormal units
        {{kFTiny, kFHalf, kF0}, kF0},
        {{kFMax, kF2, kFmInf}, kFmInf},
        {{kFMax, kF2, 0xFF7FFFFF}, kFMax},         // no overflow on the way
        {{kF1, kFm1, kF1}, kF0},
        {{kFm0, kF1, kFm0}, kFm0},
        {{kFm0, kF1, kF0}, kF0},
        {{kF0, kFInf, kF1}, kFNan},
        {{kFInf, kF1, kFmInf}, kFNan},
        {{kF0, kFInf, kFQuiet2}, kFQuiet2},        // the invalid product does not hide the NaN
        {{kF1, kFSignal, kFQuiet1}, kFSignalQuieted},
        {{kFQuiet1, kFSignal, kFQuiet2}, kFQuiet1}}},
      {"v_fmac_f32", "v0, v2, v4",
       {{{kF2, kF3}, 0x41200000, kF4}, {{kF0, kFInf}, kFQuiet2, kFQuiet2}, {{kF1, kFQuiet1}, kFQuiet1, kFQuiet2},
        {{kFQuiet1, kFQuiet2}, kFQuiet1, kFSignal}}},
      {"v_fmaak_f32", "v0, v2, v4, 0x40800000", {{{kF2, kF3}, 0x41200000}, {{kF0, kFInf}, kFNan}}},
      {"v_fmamk_f32", "v0, v2, 0x40400000, v4", {{{kF2, kF4}, 0x41200000}, {{kFInf, kFmInf}, kFNan}}},
  });
}

TEST_CASE("simulator: FP32 minimum and maximum of numbers") {
  check_rows(std::vector<vector_row>{
      {"v_min_f32", "v0, v2, v4",
       {{{kF1, kF2}, kF1},
        {{kFm1, kF1}, kFm1},
        {{kFm1, kFm2}, kFm2},
        {{kF0, kFm0}, kFm0},
        {{kFm0, kF0}, kFm0},
        {{kFInf, kFMax}, kFMax},
        {{kFTiny, 2}, kFTiny},
        {{kFQuiet1, kF1}, kF1},
        {{kF1, kFQuiet1}, kF1},
        {{kFQuiet1, kFQuiet2}, kFQuiet2},
        {{kFSignal, kF1}, kFSignalQuieted},
        {{kF1, kFSignal}, kFSignalQuieted},
        {{kFQuiet1, kFSignal}, kFSignalQuieted}}},
      {"v_max_f32", "v0, v2, v4",
       {{{kF1, kF2}, kF2},
        {{kFm1, kFm2}, kFm1},
        {{kF0, kFm0}, kF0},
        {{kFm0, kF0}, kF0},
        {{kFmInf, 0xFF7FFFFF}, 0xFF7FFFFF},
        {{kFQuiet1, kFmInf}, kFmInf},
        {{kFmInf, kFQuiet1}, kFmInf},
        {{kFQuiet1, kFQuiet2}, kFQuiet2},
        {{kFSignal, kF1}, kFSignalQuieted},
        {{kF1, kFSignal}, kFSignalQuieted}}},
      {"v_min3_f32", "v0, v2, v4, v6",
       {{{kF3, kF1, kF2}, kF1},
        {{kF3, kF2, kF1}, kF1},
        {{kFQuiet1, kFQuiet2, kF1}, kF1},
        {{kF1, kFm0, kF0}, kFm0},
        {{kFSignal, kF1, kF2}, kF2}}},             // quieted by the first step, passed over by the second
      {"v_max3_f32", "v0, v2, v4, v6",
       {{{kF3, kF1, kF2}, kF3}, {{kF1, kF2, kF3}, kF3}, {{kFQuiet1, kF2, kF1}, kF2}, {{kFm1, kFm0, kF0}, kF0}}},
      {"v_med3_f32", "v0, v2, v4, v6",
       {{{kF3, kF1, kF2}, kF2},
        {{kF1, kF3, kF2}, kF2},
        {{kF1, kF2, kF3}, kF2},
        {{kF2, kF2, kF1}, kF2},
        {{kFInf, kFm1, kF0}, kF0},
        {{kFQuiet1, kF3, kF2}, kF2},               // beside a NaN the least of the numbers
        {{kF3, kF2, kFQuiet1}, kF2}}},
  });
}

TEST_CASE("simulator: FP32 minimum3 and maximum3 let NaNs through") {
  check_rows(std::vector<vector_row>{
      {"v_minimum3_f32", "v0, v2, v4, v6",
       {{{kF3, kF1, kF2}, kF1},
        {{kF0, kFm0, kF1}, kFm0},
        {{kFQuiet1, kF1, kF2}, kFQuiet1},
        {{kF1, kFQuiet2, kF2}, kFQuiet2},
        {{kF1, kF2, kFQuiet2}, kFQuiet2},
        {{kFQuiet1, kFQuiet2, kF2}, kFQuiet1},
        {{kFQuiet1, kFSignal, kF2}, kFSignalQuieted},
        {{kF1, kF2, kFSignal}, kFSignalQuieted}}},
      {"v_maximum3_f32", "v0, v2, v4, v6",
       {{{kF3, kF1, kF2}, kF3},
        {{kFm0, kF0, kFm1}, kF0},
        {{kFInf, kFQuiet1, kF2}, kFQuiet1},
        {{kF1, kF2, kFQuiet2}, kFQuiet2},
        {{kFSignal, kFQuiet1, kF2}, kFSignalQuieted}}},
  });
}
