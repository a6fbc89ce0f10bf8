// Conversions of the simulator: thresholds and neighbours by hand, every code under every scale, special values, bytes.
#include "sim/numerics/convert.h"
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

uint32_t scale_pattern(uint32_t field) { return field << 23; }

// Where the nearest code changes, and the codes just below, at (the tie) and just above it.
struct threshold {
  double at;
  uint32_t below, tie, above;
};
const threshold kThresholds[] = {{0.25, 0, 0, 1}, {0.75, 1, 2, 2}, {1.25, 2, 2, 3}, {1.75, 3, 4, 4},
                                 {2.5, 4, 4, 5},  {3.5, 5, 6, 6},  {5, 6, 6, 7}};

uint32_t code_f32(uint32_t bits, uint32_t field) { return cvt_scalef32_pk_fp4_f32(0, bits, 0, scale_pattern(field), 0) & 15; }
uint32_t code_bf16(uint32_t bits, uint32_t field) { return cvt_scalef32_pk_fp4_bf16(0, bits, scale_pattern(field), 0) & 15; }
uint32_t code_f16(uint32_t bits, uint32_t field) { return cvt_scalef32_pk_fp4_f16(0, bits, scale_pattern(field), 0) & 15; }

// The FP16 pattern of a positive double, by the definition of the format.
uint32_t f16_of(double v) {
  if (v >= 65520) return 0x7C00;
  if (v < 0x1p-14) return static_cast<uint32_t>(std::nearbyint(std::ldexp(v, 24)));
  const int e = std::ilogb(v);
  return static_cast<uint32_t>((e + 15) * 1024 + std::nearbyint(std::ldexp(v, 10 - e)) - 1024);
}

}  // namespace

TEST_CASE("FP4 from FP32: every threshold and its neighbours, both signs", "[sim-numerics]") {
  for (const uint32_t field : {0u, 1u, 2u, 23u, 100u, 127u, 180u, 252u, 253u, 254u})
    for (const threshold& t : kThresholds) {
      const auto value = static_cast<float>(std::ldexp(t.at, static_cast<int>(field) - 127));
      if (std::isinf(value)) continue;  // 2^127 * 2.5 and more is no FP32 number
      const uint32_t bits = bits_of(value);
      INFO("field " << field << ", threshold " << t.at);
      CHECK(code_f32(bits - 1, field) == t.below);
      CHECK(code_f32(bits, field) == t.tie);
      CHECK(code_f32(bits + 1, field) == t.above);
      CHECK(code_f32((bits - 1) | 0x80000000, field) == (t.below | 8));
      CHECK(code_f32(bits | 0x80000000, field) == (t.tie | 8));
      CHECK(code_f32((bits + 1) | 0x80000000, field) == (t.above | 8));
    }
}

TEST_CASE("FP4 from BF16 and FP16: every threshold and its neighbours", "[sim-numerics]") {
  for (const threshold& t : kThresholds) {
    for (const uint32_t field : {0u, 1u, 120u, 127u, 252u}) {
      const uint32_t bits = bits_of(static_cast<float>(std::ldexp(t.at, static_cast<int>(field) - 127))) >> 16;
      INFO("BF16, field " << field << ", threshold " << t.at);
      CHECK(code_bf16(bits - 1, field) == t.below);
      CHECK(code_bf16(bits, field) == t.tie);
      CHECK(code_bf16(bits + 1, field) == t.above);
      CHECK(code_bf16((bits + 1) | 0x8000, field) == (t.above | 8));
    }
    for (const uint32_t field : {106u, 113u, 127u, 139u}) {  // 106: thresholds are FP16 subnormals
      const uint32_t bits = f16_of(std::ldexp(t.at, static_cast<int>(field) - 127));
      INFO("FP16, field " << field << ", threshold " << t.at);
      CHECK(code_f16(bits - 1, field) == t.below);
      CHECK(code_f16(bits, field) == t.tie);
      CHECK(code_f16(bits + 1, field) == t.above);
      CHECK(code_f16((bits - 1) | 0x8000, field) == (t.below | 8));
    }
  }
}

TEST_CASE("FP4: subnormals, extremes, zeros, Inf", "[sim-numerics]") {
  CHECK(code_f32(0x00000001, 0) == 0);           // 2^-149 / 2^-127
  CHECK(code_f32(0x80000001, 0) == 8);           // the sign stays
  CHECK(code_f32(0x00000001, 254) == 0);
  CHECK(code_f32(0x00400000, 0) == 2);           // 2^-127, a subnormal, over 2^-127 is 1
  CHECK(code_f32(0x00300000, 0) == 2);           // 0.75
  CHECK(code_f32(0x7F7FFFFF, 0) == 7);
  CHECK(code_f32(0xFF7FFFFF, 254) == 12);        // -(2 - 2^-23) rounds to -2
  CHECK(code_f32(bits_of(1), 254) == 0);
  CHECK(code_f32(0x00000000, 100) == 0);
  CHECK(code_f32(0x80000000, 100) == 8);
  CHECK(code_f32(0x7F800000, 127) == 7);
  CHECK(code_f32(0xFF800000, 127) == 15);
  CHECK(code_bf16(0x7F80, 127) == 7);
  CHECK(code_bf16(0x0001, 0) == 0);              // 2^-133 / 2^-127 = 2^-6
  CHECK(code_f16(0xFC00, 127) == 15);
  CHECK(code_f16(0x0001, 103) == 2);             // 2^-24 / 2^-24
  CHECK(code_f16(0x7BFF, 0) == 7);
}

TEST_CASE("FP4: the scale's sign and fraction do not count; a zero scale is 2^-127", "[sim-numerics]") {
  const uint32_t two = bits_of(2), four = bits_of(4);
  CHECK(cvt_scalef32_pk_fp4_f32(0, four, two, bits_of(-1.99f), 0) == 0x46);
  CHECK(cvt_scalef32_pk_fp4_f32(0, bits_of(0x1p-126f), bits_of(0x1.8p-127f), bits_of(0.0f), 0) == 0x34);
  CHECK(cvt_scalef32_pk_fp4_f32(0, bits_of(0x1p-126f), bits_of(0x1.8p-127f), 0x807FFFFF, 0) == 0x34);
}

TEST_CASE("FP4: the vector of the gfx950 conformance test, and each byte", "[sim-numerics]") {
  const uint32_t four = bits_of(4), six = bits_of(6), one = bits_of(1);
  CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, four, six, one, 0) == 0xABCDEF76);
  CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, four, six, one, 1) == 0xABCD7612);
  CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, four, six, one, 2) == 0xAB76EF12);
  CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, four, six, one, 3) == 0x76CDEF12);
  CHECK(cvt_scalef32_pk_fp4_bf16(0xABCDEF12, 0x40C04080, one, 2) == 0xAB76EF12);  // low half 4, high half 6
  CHECK(cvt_scalef32_pk_fp4_f16(0xABCDEF12, 0x46004400, one, 1) == 0xABCD7612);
}

TEST_CASE("FP4: NaN and a NaN scale by option", "[sim-numerics]") {
  const uint32_t nan = 0x7FC00000, minus_nan = 0xFF800001, one = bits_of(1);
  CHECK(cvt_scalef32_pk_fp4_f32(0, nan, minus_nan, one, 0) == 0xF7);
  CHECK(cvt_scalef32_pk_fp4_bf16(0, 0xFFC07FC0, one, 0) == 0xF7);
  CHECK(cvt_scalef32_pk_fp4_f16(0, 0xFE007E00, one, 0) == 0xF7);
  conversion_options options;
  options.nan = nan_to_fp4::plus_zero;
  CHECK(cvt_scalef32_pk_fp4_f32(0, nan, minus_nan, one, 0, options) == 0x00);
  CHECK(cvt_scalef32_pk_fp4_f32(0, one, minus_nan, one, 0, options) == 0x02);

  for (const uint32_t scale : {0x7F800000u, 0x7FC00000u, 0xFFFFFFFFu}) {
    CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, one, bits_of(-0.0f), scale, 1) == 0xABCDF712);
    CHECK(cvt_scalef32_sr_pk_fp4_f32(0xABCDEF12, one, bits_of(-1), 5, scale, 1) == 0xABCDF712);
    conversion_options keep;
    keep.nan_scale = nan_scale_to_fp4::keep_destination;
    CHECK(cvt_scalef32_pk_fp4_f32(0xABCDEF12, one, one, scale, 1, keep) == 0xABCDEF12);
    CHECK(cvt_scalef32_sr_pk_fp4_bf16(0xABCDEF12, 0x3F803F80, 5, scale, 1, keep) == 0xABCDEF12);
  }
}

TEST_CASE("widening: every code under every scale byte", "[sim-numerics]") {
  for (uint32_t field = 0; field < 255; ++field)
    for (uint32_t code = 0; code < 16; ++code) {
      const double value = std::ldexp(kFp4Value[code], static_cast<int>(field) - 127);
      const uint32_t expected = bits_of(static_cast<float>(value));  // exact, or Inf
      const uint32_t source = (code | (code ^ 9) << 4) << 16 | 0x5A00005A;
      const double other = std::ldexp(kFp4Value[code ^ 9], static_cast<int>(field) - 127);
      INFO("field " << field << ", code " << code);
      const result_pair f32 = cvt_scalef32_pk_f32_fp4(source, scale_pattern(field), 2);
      REQUIRE(f32.first == expected);
      REQUIRE(f32.second == bits_of(static_cast<float>(other)));
      const uint32_t bf16 = cvt_scalef32_pk_bf16_fp4(source, scale_pattern(field), 2);
      REQUIRE((expected & 0xFFFF) == 0);
      REQUIRE(bf16 == (expected >> 16 | (f32.second & 0xFFFF0000)));
      const uint32_t f16 = cvt_scalef32_pk_f16_fp4(source, scale_pattern(field), 2);
      REQUIRE((f16 & 0xFFFF) == (f16_of(std::fabs(value)) | (code & 8) << 12));
      REQUIRE(f16 >> 16 == (f16_of(std::fabs(other)) | ((code ^ 9) & 8) << 12));
    }
}

TEST_CASE("widening: source bytes, and a NaN scale by option", "[sim-numerics]") {
  const uint32_t one = bits_of(1);
  for (uint32_t byte = 0; byte < 4; ++byte) {  // bytes 0x42, 0x63, 0x84, 0xA5: low nibbles 2 3 4 5, high 4 6 8 A
    const result_pair p = cvt_scalef32_pk_f32_fp4(0xA5846342, one, byte);
    CHECK(float_of(p.first) == static_cast<float>(kFp4Value[2 + byte]));
    CHECK(p.second == bits_of(static_cast<float>(kFp4Value[4 + 2 * byte])));
  }
  const uint32_t nan = 0x7F800000;
  CHECK(cvt_scalef32_pk_f32_fp4(0x90, nan, 0).first == 0x7FC00000);
  CHECK(cvt_scalef32_pk_f32_fp4(0x90, nan, 0).second == 0x7FC00000);
  CHECK(cvt_scalef32_pk_bf16_fp4(0x90, nan, 0) == 0x7FC07FC0);
  CHECK(cvt_scalef32_pk_f16_fp4(0x90, nan, 0) == 0x7E007E00);
  conversion_options host;
  host.widening = widened_nan::hip_host;
  CHECK(cvt_scalef32_pk_f32_fp4(0x90, nan, 0, host).second == 0xFFC00000);
  CHECK(cvt_scalef32_pk_bf16_fp4(0x90, nan, 0, host) == 0xFFFF7FFF);
  CHECK(cvt_scalef32_pk_f16_fp4(0x90, nan, 0, host) == 0xFFFF7FFF);
}

TEST_CASE("BF16 from FP32: ties, subnormals, overflow, NaN by option", "[sim-numerics]") {
  const auto low = [](uint32_t bits) { return cvt_pk_bf16_f32(bits, 0) & 0xFFFF; };
  CHECK(cvt_pk_bf16_f32(0x3F800000, 0xC0490FDB) == 0xC0493F80);
  CHECK(low(0x3F808000) == 0x3F80);  // a tie, to even
  CHECK(low(0x3F818000) == 0x3F82);
  CHECK(low(0x3F808001) == 0x3F81);
  CHECK(low(0x7F7F7FFF) == 0x7F7F);
  CHECK(low(0x7F7F8000) == 0x7F80);  // overflow
  CHECK(low(0xFF800000) == 0xFF80);
  CHECK(low(0x00008000) == 0x0000);  // half the least subnormal
  CHECK(low(0x00008001) == 0x0001);
  CHECK(low(0x80018000) == 0x8002);
  CHECK(low(0x007FFFFF) == 0x0080);  // into the normal numbers
  CHECK(low(0x80000000) == 0x8000);
  CHECK(low(0x7FC00000) == 0x7FC0);
  CHECK(low(0x7F800001) == 0x7F81);  // the last bit keeps it a NaN
  CHECK(low(0xFFC12345) == 0xFFC1);
  CHECK(low(0xFFC22345) == 0xFFC3);
  conversion_options canonical;
  canonical.bf16 = bf16_nan::canonical;
  CHECK(cvt_pk_bf16_f32(0x7F800001, 0xFFC22345, canonical) == 0x7FC07FC0);
  for (uint32_t high = 0; high < 0x7F80; ++high)
    for (const uint32_t rest : {0x0000u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      const uint32_t up = rest > 0x8000 || (rest == 0x8000 && high % 2 != 0) ? 1 : 0;
      REQUIRE(low(high << 16 | rest) == high + up);
    }
}

TEST_CASE("FP16 to and from FP32", "[sim-numerics]") {
  for (uint32_t half = 0; half < 0x7C00; ++half) {  // value by the definition of the format
    const double value = half < 1024 ? std::ldexp(half, -24) : std::ldexp(1024 + half % 1024, static_cast<int>(half / 1024) - 25);
    REQUIRE(cvt_f32_f16(half) == bits_of(static_cast<float>(value)));
    REQUIRE(cvt_f32_f16(half | 0x8000) == (bits_of(static_cast<float>(value)) | 0x80000000));
    REQUIRE(cvt_f16_f32(bits_of(static_cast<float>(value))) == half);
  }
  for (uint32_t bits = 0x33000000; bits < 0x47900000; bits += 0x3FF)
    REQUIRE(cvt_f16_f32(bits) == f16_of(static_cast<double>(float_of(bits))));
  CHECK(cvt_f16_f32(0x477FEFFF) == 0x7BFF);
  CHECK(cvt_f16_f32(0x477FF000) == 0x7C00);
  CHECK(cvt_f16_f32(0x33000000) == 0);       // 2^-25: a tie
  CHECK(cvt_f16_f32(0xB3000001) == 0x8001);
  CHECK(cvt_f16_f32(0xFF800000) == 0xFC00);
  CHECK(cvt_f16_f32(0x7F800001) == 0x7E00);
  CHECK(cvt_f32_f16(0x7C00) == 0x7F800000);
  CHECK(cvt_f32_f16(0xFD01) == 0xFFE02000);
}

TEST_CASE("PRNG: the shift register's step", "[sim-numerics]") {
  CHECK(prng_b32(0) == 0);
  CHECK(prng_b32(1) == 2);
  CHECK(prng_b32(0x7FFFFFFF) == 0xFFFFFFFE);
  CHECK(prng_b32(0x80000000) == 197);
  CHECK(prng_b32(0xC0000001) == (0x80000002 ^ 197));
}
