// FP64 arithmetic of the simulator on hand-made vectors.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: FP64 sums, products and fused multiply-add") {
  const uint64_t next = kD1 + 1;                         // 1 + 2^-52
  const uint64_t half_ulp = 0x3CA0000000000000;          // 2^-53
  check_rows(std::vector<vector_row>{
      {"v_add_f64", "v[0:1], v[2:3], v[4:5]",
       {{{kD1, kD2}, kD3},
        {{kD1, half_ulp}, kD1},                          // a tie: even
        {{next, half_ulp}, kD1 + 2},
        {{kDMax, kDMax}, kDInf},
        {{kDTiny, kDTiny}, 2},
        {{kD1, kDm1}, kD0},
        {{kDm0, kDm0}, kDm0},
        {{kDInf, kDmInf}, kDNan},
        {{kDQuiet1, kDQuiet2}, kDQuiet1},
        {{kD1, kDSignal}, kDSignalQuieted}}},
      {"v_mul_f64", "v[0:1], v[2:3], v[4:5]",
       {{{kD2, kD2}, kD4},
        {{next, next}, kD1 + 2},                         // 1 + 2^-51 + 2^-104
        {{kDTiny, kDHalf}, kD0},
        {{3, kDHalf}, 2},
        {{kDm1, kD0}, kDm0},
        {{kD0, kDInf}, kDNan},
        {{kDSignal, kDQuiet1}, kDSignalQuieted}}},
      {"v_fma_f64", "v[0:1], v[2:3], v[4:5], v[6:7]",
       {{{kD2, kD2, kDm1}, kD3},
        {{next, next, 0xBFF0000000000002}, 0x3970000000000000},  // the 2^-104 that a rounded product loses
        {{kD1, half_ulp, kD1}, kD1},
        {{kD0, kDInf, kD1}, kDNan},
        {{kD0, kDInf, kDQuiet2}, kDQuiet2},
        {{kDQuiet1, kDSignal, kD1}, kDQuiet1}}},
      {"v_fmac_f64", "v[0:1], v[2:3], v[4:5]", {{{kD2, kD2}, kD3, kDm1}, {{kDInf, kD1}, kDNan, kDmInf}}},
      {"v_fma_f64", "v[0:1], -v[2:3], |v[4:5]|, 1.0", {{{kD2, 0xC000000000000000}, 0xC008000000000000}}},  // 1 - 4
      {"v_add_f64", "v[0:1], v[2:3], -4.0", {{{kD4}, kD0}, {{kD1}, 0xC008000000000000}}},
      {"v_add_f64", "v[0:1], v[2:3], v[4:5] clamp",
       {{{kD1, kD2}, kD1}, {{kDHalf, kD0}, kDHalf}, {{kDm1, kD0}, kD0}, {{kDInf, kDmInf}, kD0}}},
  });
}

TEST_CASE("simulator: FP64 minimum and maximum") {
  check_rows(std::vector<vector_row>{
      {"v_min_f64", "v[0:1], v[2:3], v[4:5]",
       {{{kD1, kD2}, kD1}, {{kD0, kDm0}, kDm0}, {{kDQuiet1, kD1}, kD1}, {{kD1, kDQuiet1}, kD1},
        {{kD1, kDSignal}, kDSignalQuieted}}},
      {"v_max_f64", "v[0:1], v[2:3], v[4:5]",
       {{{kD1, kD2}, kD2}, {{kDm0, kD0}, kD0}, {{kDQuiet1, kDmInf}, kDmInf}, {{kDSignal, kD1}, kDSignalQuieted}}},
  });
}
