// The division instructions in the simulator: which operand is which, the mask of v_div_scale, VCC of v_div_fmas, and whole
// quotients by the sequence that compilers emit. Their numerics have tests of their own.
#include <bit>

#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

TEST_CASE("simulator: v_div_scale scales an operand and says so in a mask") {
  // 2^127 / 2^-1: the exponents are 128 apart, so VCC is set and only the denominator is scaled, by 2^64.
  sim_test_wave w;
  w.set_vector(2, kFHalf);
  w.set_vector(4, 0x7F000000);
  w.set_vector(4, std::vector<uint32_t>{kF1});  // lane 0: 1 / 0.5 needs no scaling
  w.set_exec(0x7);
  w.run("v_div_scale_f32 v0, s[8:9], v2, v2, v4");
  w.expect_lanes(0, [](unsigned lane) { return lane == 0 ? kFHalf : 0x5F000000u; });
  CHECK(w.scalar64(8) == 0x6);
  w.run("v_div_scale_f32 v1, vcc, v4, v2, v4");
  w.expect_lanes(1, [](unsigned lane) { return lane == 0 ? static_cast<uint32_t>(kF1) : 0x7F000000u; });
  CHECK(w.scalar64(kVccLow) == 0x6);

  w.set_exec(kAllLanes);
  w.set_vector64(2, [](unsigned) { return kD2; });
  w.set_vector64(4, [](unsigned) { return kD3; });
  w.run("v_div_scale_f64 v[0:1], vcc, v[2:3], v[2:3], v[4:5]");
  w.expect_lanes64(0, [](unsigned) { return kD2; });
  CHECK(w.scalar64(kVccLow) == 0);
}

TEST_CASE("simulator: v_div_scale and v_div_fmas where nothing needs scaling, and where a denominator does") {
  check_rows(std::vector<vector_row>{
      {"v_div_scale_f32", "v0, s[8:9], v2, v4, v6",
       {{{kF2, kF2, kF3}, kF2}, {{kF3, kF2, kF3}, kF3}, {{kFHalf, kFHalf, 0x7F000000}, 0x5F000000}}},
      {"v_div_scale_f64", "v[0:1], vcc, v[2:3], v[4:5], v[6:7]", {{{kD2, kD2, kD3}, kD2}, {{kD3, kD2, kD3}, kD3}}},
      {"v_div_fmas_f32", "v0, v2, v4, v6", {{{kF2, kF3, kF4}, 0x41200000}, {{kF1, kFSignal, kF1}, kFSignalQuieted}}},
      {"v_div_fmas_f64", "v[0:1], v[2:3], v[4:5], v[6:7]", {{{kD2, kD1, kD1}, kD3}, {{kD2, kD2, kDm1}, kD3}}},
  });
}

TEST_CASE("simulator: v_div_fmas scales where VCC says so") {
  sim_test_wave w;
  w.set_vector(2, kF2);
  w.set_vector(4, kF3);
  w.set_vector(6, kF4);
  w.set_vcc(0xFFFFFFFF00000000);
  w.run("v_div_fmas_f32 v0, v2, v4, v6");
  w.expect_lanes(0, [](unsigned lane) { return lane < 32 ? 0x41200000u : 0x61200000u; });  // 10, 10 * 2^64
  w.run("v_div_fmas_f32 v0, -v2, v4, v6");
  w.expect_lanes(0, [](unsigned lane) { return lane < 32 ? 0xC0000000u : 0xE0000000u; });
  w.set_vector64(2, [](unsigned) { return kD2; });
  w.set_vector64(4, [](unsigned) { return kD1; });
  w.set_vector64(6, [](unsigned) { return kD1; });
  w.run("v_div_fmas_f64 v[0:1], v[2:3], v[4:5], v[6:7]");
  w.expect_lanes64(0, [](unsigned lane) { return lane < 32 ? kD3 : kD3 - (uint64_t{128} << 52); });
}

TEST_CASE("simulator: v_div_fixup and v_rcp") {
  check_rows(std::vector<vector_row>{
      {"v_div_fixup_f32", "v0, v2, v4, v6",
       {{{kF2, kF2, kF4}, kF2},
        {{kF2, kFm2, kF4}, kFm2},         // the quotient's sign is that of the division
        {{kF1, kF0, kF1}, kFInf},
        {{kF1, kFm0, kF1}, kFmInf},
        {{kF1, kFInf, kFm1}, kFm0},
        {{kF1, kF0, kF0}, 0xFFC00000},
        {{kF1, kFInf, kFInf}, 0xFFC00000},
        {{kF1, kFQuiet1, kFQuiet2}, kFQuiet2},  // the numerator's NaN first
        {{kF1, kFSignal, kF1}, kFSignalQuieted}}},
      {"v_div_fixup_f64", "v[0:1], v[2:3], v[4:5], v[6:7]",
       {{{kD2, kD2, kD4}, kD2}, {{kD1, kD0, kDm1}, kDmInf}, {{kD1, kD0, kD0}, 0xFFF8000000000000},
        {{kD1, kD1, kDSignal}, kDSignalQuieted}}},
      {"v_rcp_f32", "v0, v2",
       {{{kF2}, kFHalf}, {{kF3}, 0x3EAAAAAB}, {{kF0}, kFInf}, {{kFmInf}, kFm0}, {{kFSignal}, kFSignalQuieted}}},
      {"v_rcp_iflag_f32", "v0, v2", {{{kF4}, 0x3E800000}, {{kFm0}, kFmInf}}},
      {"v_rcp_f64", "v[0:1], v[2:3]", {{{kD4}, 0x3FD0000000000000}, {{kD3}, 0x3FD5555555555555}, {{kD0}, kDInf}}},
  });
}

TEST_CASE("simulator: the approximate reciprocal is an option of the launch") {
  sim_test_wave w;
  w.settings().division.reciprocal_ulps = 1;
  w.set_vector(2, kF3);
  w.run("v_rcp_f32 v0, v2");
  w.expect_lanes(0, [](unsigned) { return 0x3EAAAAACu; });
}

TEST_CASE("simulator: FP32 division as LLVM expands it is correctly rounded, whatever the reciprocal") {
  const std::vector<float> values = {1.0f,           3.0f,   7.0f, 0.1f,        1e-30f,          3e38f,
                                     1.17549435e-38f, 1e-45f, 6.0f, 123456.789f, 0x1.fffffep127f, 0x1p-126f};
  for (const int ulps : {-1, 0, 1}) {
    sim_test_wave w;
    w.settings().division.reciprocal_ulps = ulps;
    for (const float numerator : values) {
      std::vector<uint32_t> denominators;
      for (const float d : values) denominators.push_back(std::bit_cast<uint32_t>(-d));
      w.set_vector(2, std::bit_cast<uint32_t>(numerator));  // v2 / v4
      w.set_vector(4, kF1);
      w.set_vector(4, denominators);
      for (const char* text : {"v_div_scale_f32 v6, s[0:1], v4, v4, v2", "v_rcp_f32 v7, v6",
                               "v_div_scale_f32 v8, vcc, v2, v4, v2",
                               "v_fma_f32 v9, -v6, v7, 1.0", "v_fma_f32 v7, v9, v7, v7", "v_mul_f32 v9, v8, v7",
                               "v_fma_f32 v10, -v6, v9, v8", "v_fma_f32 v9, v10, v7, v9", "v_fma_f32 v6, -v6, v9, v8",
                               "v_div_fmas_f32 v6, v6, v7, v9", "v_div_fixup_f32 v0, v6, v4, v2"})
        w.run(text);
      for (unsigned lane = 0; lane < denominators.size(); ++lane) {
        INFO(numerator << " / " << -values[lane] << ", reciprocal off by " << ulps);
        CHECK(w.vector(0, lane) == std::bit_cast<uint32_t>(numerator / -values[lane]));
      }
    }
  }
}
