// FP16 arithmetic of the simulator on hand-made vectors: single values, chosen halves, packed halves.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: FP16 in the low half, the upper half is cleared") {
  check_rows(std::vector<vector_row>{
      {"v_add_f16", "v0, v2, v4",
       {{{0xDEAD0000 | kH1, 0xBEEF0000 | kH2}, kH3},
        {{kH1, 0x1000}, kH1},                      // 2^-11 is half an ulp: even
        {{kH1 + 1, 0x1000}, kH1 + 2},
        {{kHMax, 0x4C00}, kHInf},                  // 65504 + 16
        {{kHMax, 0x4BFF}, kHMax},
        {{kHTiny, kHTiny}, 2},
        {{kH1, kHm1}, 0},
        {{kHm0, kHm0}, kHm0},
        {{kHInf, kHmInf}, kHNan},
        {{kHQuiet1, kHSignal}, kHQuiet1},
        {{kH1, kHSignal}, kHSignalQuieted}}},
      {"v_sub_f16", "v0, v2, v4",
       {{{kH3, kH1}, kH2}, {{kHm0, 0}, kHm0}, {{kHInf, kHInf}, kHNan}, {{kH1, kHSignal}, kHSignalQuieted}}},
      {"v_subrev_f16", "v0, v2, v4", {{{kH1, kH3}, kH2}, {{0, kHm0}, kHm0}, {{kHSignal, kHQuiet1}, kHSignalQuieted}}},
      {"v_mul_f16", "v0, v2, v4",
       {{{kH2, kH2}, kH4}, {{kHTiny, kHHalf}, 0}, {{3, kHHalf}, 2}, {{kHm1, 0}, kHm0}, {{0, kHInf}, kHNan},
        {{kHMax, kH2}, kHInf}}},
      {"v_min_f16", "v0, v2, v4",
       {{{kH1, kH2}, kH1}, {{0, kHm0}, kHm0}, {{kHQuiet1, kH1}, kH1}, {{kHSignal, kH1}, kHSignalQuieted}}},
      {"v_max_f16", "v0, v2, v4",
       {{{kH1, kH2}, kH2}, {{kHm0, 0}, 0}, {{kH1, kHQuiet1}, kH1}, {{kH1, kHSignal}, kHSignalQuieted}}},
      {"v_add_f16", "v0, -v2, |v4|", {{{kH1, kHm1}, 0}, {{kH1, 0xC200}, kH2}}},
      {"v_mul_f16", "v0, 0.5, v4", {{{kH2}, kH1}}},
      {"v_add_f16", "v0, v2, v4 clamp", {{{kH1, kH2}, kH1}, {{kHm1, 0}, 0}, {{kHInf, kHmInf}, 0}}},
  });
}

TEST_CASE("simulator: FP16 with halves chosen by op_sel keeps the other half") {
  const uint64_t old = 0xAAAABBBB;
  check_rows(std::vector<vector_row>{
      {"v_fma_f16", "v0, v2, v4, v6",
       {{{kH2, kH2, kHm1}, 0xAAAA0000 | kH3, old},
        {{kH1 + 1, kH1 + 1, 0xBC02}, 0xAAAA0010, old},  // the 2^-20 that a rounded product loses, a subnormal
        {{0, kHInf, kH1}, 0xAAAA0000 | kHNan, old},
        {{kHInf, kH1, kHmInf}, 0xAAAA0000 | kHNan, old},
        {{kHm0, kH1, kHm0}, 0xAAAA0000 | kHm0, old},
        {{kHm0, kH1, 0}, 0xAAAA0000, old}}},
      {"v_fma_f16", "v0, v2, v4, v6 op_sel:[1,0,1,1]", {{{kH2 << 16, kH2, kHm1 << 16}, kH3 << 16 | 0xBBBB, old}}},
      {"v_min3_f16", "v0, v2, v4, v6", {{{kH3, kH1, kH2}, 0xAAAA0000 | kH1, old}}},
      {"v_max3_f16", "v0, v2, v4, v6 op_sel:[0,0,0,1]", {{{kH3, kH1, kH2}, kH3 << 16 | 0xBBBB, old}}},
      {"v_med3_f16", "v0, v2, v4, v6",
       {{{kH3, kH1, kH2}, 0xAAAA0000 | kH2, old}, {{kH3, kHQuiet1, kH2}, 0xAAAA0000 | kH2, old}}},
  });
}

TEST_CASE("simulator: v_div_fixup_f16 decides special quotients") {
  const uint64_t old = 0xAAAABBBB, kept = 0xAAAA0000;
  check_row(vector_row{"v_div_fixup_f16", "v0, v2, v4, v6",
                       {{{kH2, kH1, kH2}, kept | kH2, old},
                        {{kH2, kHm1, kH2}, kept | 0xC000, old},
                        {{kH1, 0, kHm1}, kept | kHmInf, old},
                        {{kH1, kH1, kHInf}, kept | kHInf, old},
                        {{kH1, kHmInf, kH1}, kept | kHm0, old},
                        {{kH1, kHm1, 0}, kept | kHm0, old},
                        {{kH1, 0, kHm0}, kept | 0xFE00, old},
                        {{kH1, kHInf, kHInf}, kept | 0xFE00, old},
                        {{kH1, kHQuiet1, kHSignal}, kept | kHSignalQuieted, old},
                        {{kH1, kHQuiet1, kH1}, kept | kHQuiet1, old}}});
}

TEST_CASE("simulator: mixed FP16 and FP32 sources") {
  const uint64_t old = 0xAAAABBBB;
  check_rows(std::vector<vector_row>{
      {"v_fma_mix_f32", "v0, v2, v4, v6", {{{kF2, kF3, kF4}, 0x41200000}, {{kF0, kFInf, kFQuiet2}, kFQuiet2}}},
      {"v_fma_mix_f32", "v0, v2, v4, v6 op_sel:[1,0,0] op_sel_hi:[1,1,0]",
       {{{kH2 << 16 | kH1, 0xFFFF0000 | kH3, kF4}, 0x41200000}, {{kHTiny << 16, kHHalf, kF0}, 0x33000000}}},
      {"v_fma_mix_f32", "v0, -v2, |v4|, v6 op_sel_hi:[1,0,0]", {{{kH2, 0xC0400000, kF4}, kFm2}}},
      {"v_fma_mix_f32", "v0, v2, v4, 1.0 op_sel_hi:[1,1,0]", {{{kH1, kH2}, kF3}}},
      {"v_fma_mix_f32", "v0, v2, v4, v6 op_sel_hi:[1,1,1] clamp", {{{kH2, kH2, kH1}, kF1}}},
      {"v_fma_mixlo_f16", "v0, v2, v4, v6 op_sel_hi:[1,0,0]",
       {{{kH2, kF3, kF4}, 0xAAAA4900, old}, {{kH1, kF1, 0x3A000000}, 0xAAAA3C00, old}}},  // 10; 1 + 2^-11 is a tie
      {"v_fma_mixhi_f16", "v0, v2, v4, v6 op_sel_hi:[1,0,0]", {{{kH2, kF3, kF4}, 0x4900BBBB, old}}},
  });
  sim_test_wave w;
  CHECK(w.fault_of("v_fma_mix_f32 v0, v2, v4, v6 op_sel:[1,0,0]") == "not modelled");
  CHECK(w.fault_of("v_fma_mix_f32 v0, v2, v4, 1.0 op_sel_hi:[0,0,1]") == "not modelled");
}

TEST_CASE("simulator: packed FP16") {
  const auto pair = [](uint64_t low, uint64_t high) { return low | high << 16; };
  check_rows(std::vector<vector_row>{
      {"v_pk_add_f16", "v0, v2, v4", {{{pair(kH1, kHInf), pair(kH2, kHmInf)}, pair(kH3, kHNan)}}},
      {"v_pk_add_f16", "v0, v2, v4 op_sel:[1,0] op_sel_hi:[0,1]", {{{pair(kH1, kH2), pair(kH2, kHm1)}, pair(kH4, 0)}}},
      {"v_pk_add_f16", "v0, v2, v4 neg_lo:[0,1] neg_hi:[1,0]", {{{pair(kH3, kH1), pair(kH1, kH4)}, pair(kH2, kH3)}}},
      {"v_pk_add_f16", "v0, v2, 1.0 op_sel_hi:[1,0]", {{{pair(kH1, kH2)}, pair(kH2, kH3)}}},
      {"v_pk_add_f16", "v0, v2, v4 clamp", {{{pair(kH1, kHHalf), pair(kH2, 0)}, pair(kH1, kHHalf)}}},
      {"v_pk_mul_f16", "v0, v2, v4", {{{pair(kH2, kHTiny), pair(kH2, kHHalf)}, pair(kH4, 0)}}},
      {"v_pk_fma_f16", "v0, v2, v4, v6", {{{pair(kH2, kH1), pair(kH2, kH1), pair(kHm1, kHm1)}, pair(kH3, 0)}}},
      {"v_pk_fma_f16", "v0, v2, v4, v6 op_sel:[0,0,1] op_sel_hi:[1,1,0]",
       {{{pair(kH2, kH1), pair(kH2, kH1), pair(kH1, kHm1)}, pair(kH3, kH2)}}},
      {"v_pk_min_f16", "v0, v2, v4", {{{pair(kH1, kHQuiet1), pair(kH2, kH1)}, pair(kH1, kH1)}}},
      {"v_pk_max_f16", "v0, v2, v4", {{{pair(kH1, kHm0), pair(kH2, 0)}, pair(kH2, 0)}}},
      {"v_pk_minimum3_f16", "v0, v2, v4, v6",
       {{{pair(kH3, kH1), pair(kH1, kHQuiet1), pair(kH2, kH2)}, pair(kH1, kHQuiet1)}}},
      {"v_pk_maximum3_f16", "v0, v2, v4, v6",
       {{{pair(kH3, kH1), pair(kH1, kH4), pair(kH2, kHSignal)}, pair(kH3, kHSignalQuieted)}}},
  });
}
