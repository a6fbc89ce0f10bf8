// Packed FP32 of the simulator: which half of which source feeds which result, signs, constants, clamp.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

namespace {

constexpr uint64_t pair(uint64_t low, uint64_t high) { return low | high << 32; }

}  // namespace

TEST_CASE("simulator: packed FP32 arithmetic, halves by themselves") {
  check_rows(std::vector<vector_row>{
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5]",
       {{{pair(kF1, kFInf), pair(kF2, kFmInf)}, pair(kF3, kFNan)},
        {{pair(kFQuiet1, kF1), pair(kFQuiet2, kFSignal)}, pair(kFQuiet1, kFSignalQuieted)},
        {{pair(kFm0, kFMax), pair(kFm0, 0x73000000)}, pair(kFm0, kFInf)}}},
      {"v_pk_mul_f32", "v[0:1], v[2:3], v[4:5]",
       {{{pair(kF1_5, kFTiny), pair(kF2, kFHalf)}, pair(kF3, kF0)},
        {{pair(kF0, kFm1), pair(kFInf, kF0)}, pair(kFNan, kFm0)}}},
      {"v_pk_fma_f32", "v[0:1], v[2:3], v[4:5], v[6:7]",
       {{{pair(0x3F800001, kF2), pair(0x3F800001, kF1), pair(0xBF800002, kF1)}, pair(0x28800000, kF3)},
        {{pair(kF0, kF1), pair(kFInf, kF1), pair(kFQuiet2, kFm1)}, pair(kFQuiet2, kF0)}}},
  });
}

TEST_CASE("simulator: packed FP32 op_sel feeds the low result, op_sel_hi the high one") {
  // Sources (1, 2) and (3, 4), so that each sum names its halves: 1+3 = 4, 1+4 = 5, 2+3 = 5 and 2+4 = 6 would leave one
  // open; (1, 2) + (4, 8) leaves none: 5, 9, 6, 10.
  const uint64_t a = pair(kF1, kF2), b = pair(0x40800000, 0x41000000);
  const uint64_t k5 = 0x40A00000, k6 = 0x40C00000, k9 = 0x41100000, k10 = 0x41200000;
  check_rows(std::vector<vector_row>{
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5]", {{{a, b}, pair(k5, k10)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel:[0,1]", {{{a, b}, pair(k9, k10)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel:[1,0]", {{{a, b}, pair(k6, k10)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel_hi:[1,0]", {{{a, b}, pair(k5, k6)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel_hi:[0,1]", {{{a, b}, pair(k5, k9)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel:[1,1] op_sel_hi:[0,0]", {{{a, b}, pair(k10, k5)}}},
      {"v_pk_mul_f32", "v[0:1], s[2:3], v[4:5] op_sel_hi:[0,1]", {{{pair(kF2, kF3), b}, pair(0x41000000, 0x41800000)}}},
      {"v_pk_fma_f32", "v[0:1], v[2:3], v[4:5], v[6:7] op_sel:[0,0,1] op_sel_hi:[0,1,0]",
       {{{a, b, pair(kF1, kF2)}, pair(k6, k9)}}},  // 1 * 4 + 2, 1 * 8 + 1
  });
}

TEST_CASE("simulator: packed FP32 signs are those of the halves chosen") {
  const uint64_t a = pair(kF1, kF2), b = pair(kF3, kF4);
  check_rows(std::vector<vector_row>{
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] neg_lo:[0,1] neg_hi:[0,1]", {{{a, b}, pair(kFm2, kFm2)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] neg_lo:[1,0]", {{{a, b}, pair(kF2, 0x40C00000)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] neg_hi:[1,0]", {{{a, b}, pair(kF4, kF2)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]",
       {{{a, b}, pair(0xC0400000, kFm1)}}},        // 1 - 4, 2 - 3
      {"v_pk_fma_f32", "v[0:1], v[2:3], v[4:5], v[6:7] neg_lo:[1,0,0] neg_hi:[0,0,1]",
       {{{a, b, pair(kF4, kF4)}, pair(kF1, kF4)}}},  // -1 * 3 + 4, 2 * 4 - 4
  });
}

TEST_CASE("simulator: packed FP32 constants and clamp") {
  check_rows(std::vector<vector_row>{
      {"v_pk_add_f32", "v[0:1], v[2:3], 1.0 op_sel_hi:[1,0]", {{{pair(kF1, kF2)}, pair(kF2, kF3)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], 0 op_sel_hi:[1,0]", {{{pair(kFm0, kFSignal)}, pair(kF0, kFSignalQuieted)}}},
      {"v_pk_add_f32", "v[0:1], v[2:3], v[4:5] clamp",
       {{{pair(kF1, kFInf), pair(kF1, kFmInf)}, pair(kF1, kF0)},
        {{pair(kFHalf, kFm1), pair(kF0, kF0)}, pair(kFHalf, kF0)}}},
  });
  sim_test_wave w;
  CHECK(w.fault_of("v_pk_add_f32 v[0:1], v[2:3], 4.0") == "not modelled");
  CHECK(w.fault_of("v_pk_mov_b32 v[0:1], v[2:3], v[4:5] neg_lo:[1,0]") == "not modelled");
  CHECK(w.fault_of("v_pk_mov_b32 v[0:1], v[2:3], v[4:5] neg_hi:[0,1]") == "not modelled");
}

TEST_CASE("simulator: v_pk_mov_b32 gathers one half of each source") {
  const uint64_t a = pair(0x11, 0x22), b = pair(0x33, kFSignal);
  check_rows(std::vector<vector_row>{
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5]", {{{a, b}, pair(0x11, 0x33)}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5] op_sel:[0,1]", {{{a, b}, pair(0x11, kFSignal)}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5] op_sel:[1,0]", {{{a, b}, pair(0x22, 0x33)}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5] op_sel:[1,1]", {{{a, b}, pair(0x22, kFSignal)}}},
      {"v_pk_mov_b32", "v[2:3], v[2:3], v[4:5] op_sel:[1,0]", {{{a, b}, pair(0x22, 0x33), a}}},
      {"v_pk_mov_b32", "v[0:1], s[2:3], 7 op_sel:[1,0]", {{{a}, pair(0x22, 7)}}},
  });
}
