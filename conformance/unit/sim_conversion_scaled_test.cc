// The simulator's conversions to and from FP4 and to BF16: bytes and halves by op_sel, what is kept, which source is which, and
// that the launch's options reach them. Their numerics have tests of their own.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

namespace {

constexpr uint64_t kOld = 0xABCDEF12;
constexpr uint64_t kB1_25 = 0x3FA0, kB1 = 0x3F80, kBm6 = 0xC0C0;  // BF16
constexpr uint64_t kH1_25 = 0x3D00, kHm6 = 0xC600;

}  // namespace

TEST_CASE("simulator: FP4 pairs go to the byte of op_sel, low nibble first") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_scalef32_pk_fp4_f32", "v0, v2, v4, v6",
       {{{kF4, 0x40C00000, kF1}, 0xABCDEF76, kOld},      // 4 and 6
        {{kF1, kFm2, kF2}, 0xABCDEFA1, kOld},            // 0.5 and -1
        {{kFm0, kFInf, kF1}, 0xABCDEF78, kOld},
        {{kF1, kF1, 0xBFFFFFFF}, 0xABCDEF22, kOld}}},    // the scale's sign and fraction do not count
      {"v_cvt_scalef32_pk_fp4_f32", "v0, v2, v4, v6 op_sel:[0,0,1,0]", {{{kF1, kFHalf, kF1}, 0xABCD1212, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f32", "v0, v2, v4, v6 op_sel:[0,0,0,1]", {{{kF1, kFHalf, kF1}, 0xAB12EF12, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f32", "v0, v2, v4, v6 op_sel:[0,0,1,1]", {{{kF1, kFHalf, kF1}, 0x12CDEF12, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f32", "v0, -v2, |v4|, v6", {{{kF1, kFm1, kF1}, 0xABCDEF2A, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f32", "v0, v2, v4, 1.0", {{{kF3, kF4}, 0xABCDEF65, kOld}}},
      {"v_cvt_scalef32_pk_fp4_bf16", "v0, v2, v4", {{{kBm6 << 16 | kB1, kF1}, 0xABCDEFF2, kOld}}},
      {"v_cvt_scalef32_pk_fp4_bf16", "v0, v2, v4 op_sel:[0,0,1,1]", {{{kBm6 << 16 | kB1, kF2}, 0xD1CDEF12, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f16", "v0, v2, v4", {{{kHm6 << 16 | kH1, kF1}, 0xABCDEFF2, kOld}}},
      {"v_cvt_scalef32_pk_fp4_f16", "v0, v2, v4 op_sel:[0,0,1,0]", {{{kHm6 << 16 | kH1, kFHalf}, 0xABCDF412, kOld}}},
  });
}

TEST_CASE("simulator: stochastic FP4, the second element takes the next random word") {
  // 1.25 becomes 1.5 (code 3) with words from 2^31, else 1 (code 2); after 0x80000000 comes 0xC5, after 0x7FFFFFFF 0xFFFFFFFE.
  const uint64_t two = uint64_t{0x3FA00000} << 32 | 0x3FA00000;
  check_rows(std::vector<vector_row>{
      {"v_cvt_scalef32_sr_pk_fp4_f32", "v0, v[2:3], v4, v6",
       {{{two, 0x80000000, kF1}, 0xABCDEF23, kOld}, {{two, 0x7FFFFFFF, kF1}, 0xABCDEF32, kOld}}},
      {"v_cvt_scalef32_sr_pk_fp4_f32", "v0, v[2:3], v4, v6 op_sel:[0,0,0,1]",
       {{{kF4 << 32 | kF2, 0, kF2}, 0xAB42EF12, kOld}}},
      {"v_cvt_scalef32_sr_pk_fp4_bf16", "v0, v2, v4, v6",
       {{{kB1_25 << 16 | kB1_25, 0x80000000, kF1}, 0xABCDEF23, kOld}, {{kBm6 << 16 | kB1, 0, kF1}, 0xABCDEFF2, kOld}}},
      {"v_cvt_scalef32_sr_pk_fp4_bf16", "v0, v2, v4, v6 op_sel:[0,0,1,0]",
       {{{kB1_25 << 16 | kB1_25, 0x7FFFFFFF, kF1}, 0xABCD3212, kOld}}},
      {"v_cvt_scalef32_sr_pk_fp4_f16", "v0, v2, v4, v6",
       {{{kH1_25 << 16 | kH1_25, 0x80000000, kF1}, 0xABCDEF23, kOld}, {{kHm6 << 16 | kH1, 0, kF1}, 0xABCDEFF2, kOld}}},
      {"v_cvt_scalef32_sr_pk_fp4_f16", "v0, v2, v4, v6 op_sel:[0,0,1,1]",
       {{{kH1_25 << 16 | kH1_25, 0x7FFFFFFF, kF1}, 0x32CDEF12, kOld}}},
      {"v_prng_b32", "v0, v2",
       {{{0x80000000}, 0xC5}, {{0x7FFFFFFF}, 0xFFFFFFFE}, {{1}, 2}, {{0}, 0}, {{0xFFFFFFFF}, 0xFFFFFF3B}}},
  });
}

TEST_CASE("simulator: FP4 widened from the byte of op_sel") {
  const uint64_t codes = 0x7F80A521;  // bytes: (1, 2), (5, A), (0, 8), (F, 7)
  check_rows(std::vector<vector_row>{
      {"v_cvt_scalef32_pk_f32_fp4", "v[0:1], v2, v4",
       {{{codes, kF1}, kF1 << 32 | kFHalf}, {{codes, kF2}, kF2 << 32 | kF1},
        {{codes, 0}, uint64_t{0x00400000} << 32 | 0x00200000}}},
      {"v_cvt_scalef32_pk_f32_fp4", "v[0:1], v2, v4 op_sel:[1,0,0]", {{{codes, kF1}, kFm1 << 32 | kF3}}},
      {"v_cvt_scalef32_pk_f32_fp4", "v[0:1], v2, v4 op_sel:[0,1,0]", {{{codes, kF1}, kFm0 << 32 | kF0}}},
      {"v_cvt_scalef32_pk_f32_fp4", "v[0:1], v2, v4 op_sel:[1,1,0]",
       {{{codes, kF1}, uint64_t{0x40C00000} << 32 | 0xC0C00000}, {{codes, 0x7F000000}, kFInf << 32 | kFmInf}}},
      {"v_cvt_scalef32_pk_bf16_fp4", "v0, v2, v4", {{{codes, kF1}, 0x3F803F00}}},
      {"v_cvt_scalef32_pk_bf16_fp4", "v0, v2, v4 op_sel:[1,1,0]", {{{codes, kF2}, 0x4140C140}}},
      {"v_cvt_scalef32_pk_f16_fp4", "v0, v2, v4", {{{codes, kF1}, 0x3C003800}}},
      {"v_cvt_scalef32_pk_f16_fp4", "v0, v2, v4 op_sel:[1,0,0]", {{{codes, kFHalf}, 0xB8003E00}}},
  });
}

TEST_CASE("simulator: FP32 to BF16, nearest even and stochastic") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_pk_bf16_f32", "v0, v2, v4",
       {{{kF1, kFm2}, 0xC0003F80}, {{0x3F808000, 0x3F818000}, 0x3F823F80}, {{0x3F808001, kFMax}, 0x7F803F81},
        {{kFTiny, kFm0}, 0x80000000}}},
      {"v_cvt_pk_bf16_f32", "v0, -v2, |v4|", {{{kF1, kFm2}, 0x4000BF80}}},
      // 1 + 2^-8: the upper half of the word decides; half of them round up.
      {"v_cvt_sr_bf16_f32", "v0, v2, v4",
       {{{0x3F808000, 0x80000000}, 0xABCD3F81, kOld}, {{0x3F808000, 0x7FFFFFFF}, 0xABCD3F80, kOld},
        {{kF1, 0xFFFFFFFF}, 0xABCD3F80, kOld}}},
      {"v_cvt_sr_bf16_f32", "v0, v2, v4 op_sel:[0,0,1]", {{{0x3F808000, 0x80000000}, 0x3F81EF12, kOld}}},
  });
}

TEST_CASE("simulator: conversions follow the options of the launch") {
  sim_test_wave w;
  w.set_vector(0, 0u);
  w.set_vector(2, static_cast<uint32_t>(kFQuiet2));
  w.set_vector(4, static_cast<uint32_t>(kF1));
  w.run("v_cvt_scalef32_pk_fp4_f32 v0, v2, v4, v4");
  w.expect_lanes(0, [](unsigned) { return 0x2Fu; });
  w.settings().conversion.nan = nan_to_fp4::plus_zero;
  w.run("v_cvt_scalef32_pk_fp4_f32 v0, v2, v4, v4");
  w.expect_lanes(0, [](unsigned) { return 0x20u; });
  w.settings().conversion.bf16 = bf16_nan::canonical;
  w.run("v_cvt_pk_bf16_f32 v0, v2, v4");
  w.expect_lanes(0, [](unsigned) { return 0x3F807FC0u; });
}

TEST_CASE("simulator: op_sel of the wrong side of an FP4 conversion is refused") {
  sim_test_wave w;
  CHECK(w.fault_of("v_cvt_scalef32_pk_fp4_f32 v0, v2, v4, v6 op_sel:[1,0,0,0]") == "not modelled");
  CHECK(w.fault_of("v_cvt_scalef32_pk_f32_fp4 v[0:1], v2, v4 op_sel:[0,0,1]") == "not modelled");
  CHECK(w.fault_of("v_cvt_sr_bf16_f32 v0, v2, v4 op_sel:[1,0,0]") == "not modelled");
  CHECK(w.fault_of("v_cvt_pk_bf16_f32 v0, v2, v4 clamp") == "not modelled");
}
