// The division sequences that clang emits for gfx950, made of the simulator's instructions and the host's fma, against the
// host's division; and single steps by hand.
#include "sim/numerics/division.h"
#include "sim_numerics_support.h"

using namespace adahop;
using namespace adahop::test;
using namespace adahop::hip::sim;

namespace {

uint64_t bits_of(double v) { return std::bit_cast<uint64_t>(v); }
double double_of(uint64_t bits) { return std::bit_cast<double>(bits); }
using test::bits_of;

float divide(float numerator, float denominator, const division_options& options) {
  const uint32_t n = bits_of(numerator), d = bits_of(denominator);
  const float scaled_d = float_of(div_scale_f32(d, d, n).value);
  const scaled_f32 scale = div_scale_f32(n, d, n);
  const float scaled_n = float_of(scale.value);
  float r = float_of(rcp_f32(bits_of(scaled_d), options));
  r = std::fma(std::fma(-scaled_d, r, 1.0f), r, r);
  float q = scaled_n * r;
  q = std::fma(std::fma(-scaled_d, q, scaled_n), r, q);
  const float residual = std::fma(-scaled_d, q, scaled_n);
  return float_of(div_fixup_f32(div_fmas_f32(bits_of(residual), bits_of(r), bits_of(q), scale.vcc), d, n));
}

double divide(double numerator, double denominator, const division_options& options) {
  const uint64_t n = bits_of(numerator), d = bits_of(denominator);
  const double scaled_d = double_of(div_scale_f64(d, d, n).value);
  const scaled_f64 scale = div_scale_f64(n, d, n);
  const double scaled_n = double_of(scale.value);
  double r = double_of(rcp_f64(bits_of(scaled_d), options));
  r = std::fma(r, std::fma(-scaled_d, r, 1.0), r);
  r = std::fma(r, std::fma(-scaled_d, r, 1.0), r);
  const double q = scaled_n * r;
  const double residual = std::fma(-scaled_d, q, scaled_n);
  return double_of(div_fixup_f64(div_fmas_f64(bits_of(residual), bits_of(r), bits_of(q), scale.vcc), d, n));
}

// The quotients for which the sequences need the correctly rounded reciprocal: they lie just above a tie, and the refined
// reciprocal of their denominator comes out one place too low. In FP32 these are all: of the 2^23 significands of a
// denominator, 32 have a refined reciprocal that is not correctly rounded for some error of one place; for each, all 2^23
// numerators were tried. Where it is correctly rounded the quotient is too (Markstein).
template <class Float>
bool needs_exact_reciprocal(Float n, Float d, const division_options& options) {
  if (options.reciprocal_ulps == 0) return false;
  int ignored = 0;
  const Float numerator = std::fabs(std::frexp(n, &ignored));
  const Float denominator = std::fabs(std::frexp(d, &ignored));
  const Float below_one = std::nextafter(Float{1}, Float{0});
  if (numerator == Float{0.5} && denominator == below_one) return true;
  return sizeof(Float) == 4 && options.reciprocal_ulps == 1 &&
         numerator == static_cast<Float>(0x1.aaaaa6p-1) && denominator == static_cast<Float>(0x1.fffffap-1);
}

template <class Float>
void check(Float n, Float d, const division_options& options) {
  if (needs_exact_reciprocal(n, d, options)) return;
  const Float expected = n / d, got = divide(n, d, options);
  if (std::isnan(expected) ? !std::isnan(got) : bits_of(got) != bits_of(expected))
    FAIL(std::hex << bits_of(n) << " / " << bits_of(d) << " gives " << bits_of(got) << " instead of " << bits_of(expected)
                  << ", reciprocal off by " << std::dec << options.reciprocal_ulps);
}

template <class Float, class Bits>
std::vector<Float> edges(int fraction_bits, int largest_field) {
  std::vector<Float> out;
  const Bits one = Bits{1};
  const Bits last = (one << fraction_bits) - 1;
  for (const int field : {0, 1, 2, 22, 23, 24, 25, 52, 53, 54, 55, 95, 96, 97, 126, 127, 128, 150, 228, 252, 253, 254, 255, 767,
                          768, 769, 1022, 1023, 1024, 1074, 1075, 1076, 1790, 2044, 2045, 2046, 2047})
    for (const Bits fraction : {Bits{0}, Bits{1}, one << (fraction_bits - 1), last})
      if (field <= largest_field) {
        const Bits bits = static_cast<Bits>(field) << fraction_bits | fraction;
        out.push_back(std::bit_cast<Float>(bits));
        out.push_back(-out.back());
      }
  return out;
}

}  // namespace

TEST_CASE("FP32 division is IEEE's, but for two pairs whatever the reciprocal's last place", "[sim-numerics]") {
  const std::vector<float> values = edges<float, uint32_t>(23, 255);
  std::mt19937 random(8);
  for (const int32_t ulps : {-1, 0, 1}) {
    for (const float n : values)
      for (const float d : values) check(n, d, {ulps});
    for (int i = 0; i < 100000; ++i) {
      const auto n = static_cast<uint32_t>(random()), d = static_cast<uint32_t>(random());
      check(float_of(n), float_of(d), {ulps});
      // Quotients near the least number and near the largest: exponents apart.
      const uint32_t far = n % 2 != 0 ? 0x00800000 + d % 0x02000000 : 0x7D000000 + d % 0x02800000;
      check(float_of(far), float_of(0x3F000000 + n % 0x01000000), {ulps});
      check(float_of(0x3F000000 + n % 0x01000000), float_of(far), {ulps});
    }
  }
}

TEST_CASE("FP64 division is IEEE's, but for one pair with a reciprocal as far off as the manual allows", "[sim-numerics]") {
  const std::vector<double> values = edges<double, uint64_t>(52, 2047);
  std::mt19937_64 random(9);
  for (const int32_t ulps : {-(1 << 29), -1, 0, 1, 1 << 29}) {
    for (const double n : values)
      for (const double d : values) check(n, d, {ulps});
    for (int i = 0; i < 50000; ++i) {
      const uint64_t n = random(), d = random();
      check(double_of(n), double_of(d), {ulps});
      const uint64_t near = 0x3FE0000000000000 + n % 0x0020000000000000;
      const uint64_t far = n % 2 != 0 ? d % 0x0080000000000000 : 0x7F80000000000000 + d % 0x0070000000000000;
      check(double_of(far), double_of(near), {ulps});
      check(double_of(near), double_of(far), {ulps});
      check(static_cast<double>(n % 100000), static_cast<double>(1 + d % 1000), {ulps});
    }
  }
}

TEST_CASE("the quotients that do depend on the reciprocal's last place", "[sim-numerics]") {
  const float ones = float_of(0x3FFFFFFF), pair_n = float_of(0x3FD55553), pair_d = float_of(0x3FFFFFFD);
  CHECK(bits_of(1.0f / ones) == 0x3F000001);
  CHECK(bits_of(divide(1.0f, ones, {0})) == 0x3F000001);
  CHECK(bits_of(divide(1.0f, ones, {-1})) == 0x3F000000);
  CHECK(bits_of(divide(1.0f, ones, {1})) == 0x3F000000);
  CHECK(bits_of(divide(pair_n, pair_d, {0})) == bits_of(pair_n / pair_d));
  CHECK(bits_of(divide(pair_n, pair_d, {-1})) == bits_of(pair_n / pair_d));
  CHECK(bits_of(divide(pair_n, pair_d, {1})) == bits_of(pair_n / pair_d) - 1);
  const double ones64 = double_of(0x3FFFFFFFFFFFFFFF);
  CHECK(bits_of(divide(1.0, ones64, {0})) == 0x3FE0000000000001);
  for (const int32_t ulps : {-(1 << 29), -1, 1, 1 << 29}) CHECK(bits_of(divide(1.0, ones64, {ulps})) == 0x3FE0000000000000);
}

TEST_CASE("DIV_SCALE: which operand is scaled, and when", "[sim-numerics]") {
  const auto f32 = [](float s0, float s1, float s2) { return div_scale_f32(bits_of(s0), bits_of(s1), bits_of(s2)); };
  const auto is = [](scaled_f32 s, float value, bool vcc) { return s.value == bits_of(value) && s.vcc == vcc; };
  CHECK(is(f32(3, 3, 5), 3, false));
  CHECK(is(f32(5, 3, 5), 5, false));
  // 96 exponents apart: only the denominator grows.
  CHECK(is(f32(1, 1, 0x1p96f), 0x1p64f, true));
  CHECK(is(f32(0x1p96f, 1, 0x1p96f), 0x1p96f, true));
  CHECK(is(f32(1, 1, 0x1p95f), 1, false));
  // -96: only the numerator grows.
  CHECK(is(f32(1, 1, 0x1p-96f), 1, true));
  CHECK(is(f32(0x1p-96f, 1, 0x1p-96f), 0x1p-32f, true));
  CHECK(is(f32(0x1p-95f, 1, 0x1p-95f), 0x1p-95f, false));
  // A subnormal denominator and a tiny numerator: both grow.
  CHECK(is(f32(0x1p-140f, 0x1p-140f, 0x1p-120f), 0x1p-76f, false));
  CHECK(is(f32(0x1p-120f, 0x1p-140f, 0x1p-120f), 0x1p-56f, false));
  CHECK(is(f32(0x1p-103f, 1e-20f, 0x1p-103f), 0x1p-39f, false));  // field 24
  CHECK(is(f32(0x1p-102f, 1e-20f, 0x1p-102f), 0x1p-102f, false));
  // A denominator whose reciprocal is subnormal: both shrink, or none where the numerator would have grown.
  CHECK(is(f32(0x1p126f, 0x1p126f, 0x1p100f), 0x1p62f, false));
  CHECK(is(f32(0x1p100f, 0x1p126f, 0x1p100f), 0x1p36f, false));
  CHECK(is(f32(0x1p125f, 0x1p125f, 0x1p100f), 0x1p125f, false));
  CHECK(is(f32(0x1p127f, 0x1p127f, 1), 0x1p63f, true));
  CHECK(is(f32(1, 0x1p127f, 1), 1, true));
  CHECK(f32(0, 1, 0).value == 0xFFC00000);
  CHECK(f32(0, 0, 1).value == 0xFFC00000);

  const auto f64 = [](double s0, double s1, double s2) { return div_scale_f64(bits_of(s0), bits_of(s1), bits_of(s2)); };
  CHECK(f64(1, 1, 0x1p768).value == bits_of(0x1p128));
  CHECK(f64(1, 1, 0x1p768).vcc);
  CHECK(f64(0x1p-768, 1, 0x1p-768).value == bits_of(0x1p-640));
  CHECK(f64(0x1p-970, 0x1p-900, 0x1p-970).value == bits_of(0x1p-842));  // field 53
  CHECK(f64(0x1p-969, 0x1p-900, 0x1p-969).value == bits_of(0x1p-969));
  CHECK(f64(0x1p1022, 0x1p1022, 0x1p1000).value == bits_of(0x1p894));
  CHECK(f64(1, 0, 1).value == 0xFFF8000000000000);
}

TEST_CASE("DIV_FMAS: one rounding, scaled by the side of 2 that the addend is on", "[sim-numerics]") {
  const auto f32 = [](float a, float b, float c, bool vcc) {
    return float_of(div_fmas_f32(bits_of(a), bits_of(b), bits_of(c), vcc));
  };
  CHECK(f32(2, 3, 4, false) == 10);
  CHECK(f32(2, 3, 4, true) == 10 * 0x1p64f);
  CHECK(f32(0, 3, 1.5f, true) == 1.5f * 0x1p-64f);
  CHECK(f32(0, 3, -2, true) == -0x1p65f);
  CHECK(f32(0x1p-30f, 1, 0x1p60f, true) == 0x1p124f);
  CHECK(std::isinf(f32(0x1p-30f, 1, 0x1p64f, true)));
  // 2^-86 (1 + 2^-23) * 2^-64 = 2^-150 and a little: up. After rounding to FP32 first the addend alone would be a tie.
  CHECK(f32(0x1p-120f, 1, 0x1p-86f, true) == 0x1p-149f);
  CHECK(f32(-0x1p-120f, 1, 0x1p-86f, true) == 0);
  CHECK(bits_of(f32(1, 1, -1, false)) == 0);
  CHECK(bits_of(f32(0, -1, -0.0f, false)) == 0x80000000);
  CHECK(bits_of(f32(0, 1, -0.0f, false)) == 0);
  CHECK(div_fmas_f32(0x7F800000, 0, 0, false) == 0xFFC00000);
  CHECK(div_fmas_f32(0x7F800000, bits_of(1.0f), 0xFF800000, false) == 0xFFC00000);
  CHECK(div_fmas_f32(0x7F800000, bits_of(-1.0f), 0, true) == 0xFF800000);
  CHECK(div_fmas_f32(0, 0, 0xFF800000, true) == 0xFF800000);
  CHECK(div_fmas_f32(0x7F800001, 0, 0, true) == 0x7FC00001);
  CHECK(double_of(div_fmas_f64(bits_of(0.0), bits_of(3.0), bits_of(3.0), true)) == 0x1.8p129);
  CHECK(double_of(div_fmas_f64(bits_of(0.0), bits_of(3.0), bits_of(1.0), true)) == 0x1p-128);
  // (1 + 3 * 2^-52) (1.5 + 2^-52) = 1.5 + 5.5 * 2^-52 + 3 * 2^-104: less a little more than the last part, below the tie.
  CHECK(div_fmas_f64(0x3FF0000000000003, 0x3FF8000000000001, bits_of(-0x1.8000000000001p-103), false) == 0x3FF8000000000005);
  CHECK(div_fmas_f64(0x3FF0000000000003, 0x3FF8000000000001, bits_of(-0x1.8p-103), false) == 0x3FF8000000000006);
  std::mt19937_64 random(10);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t a = random(), b = random();
    const uint64_t c = i % 2 != 0 ? random() : bits_of(-(double_of(a) * double_of(b)));  // cancelling
    const double expected = std::fma(double_of(a), double_of(b), double_of(c));
    const uint64_t got = div_fmas_f64(a, b, c, false);
    if (std::isnan(expected) ? !std::isnan(double_of(got)) : got != bits_of(expected))
      FAIL(std::hex << a << " " << b << " " << c);
    const auto a32 = static_cast<uint32_t>(a), b32 = static_cast<uint32_t>(b), c32 = static_cast<uint32_t>(c);
    const float expected32 = std::fma(float_of(a32), float_of(b32), float_of(c32));
    const uint32_t got32 = div_fmas_f32(a32, b32, c32, false);
    if (std::isnan(expected32) ? !std::isnan(float_of(got32)) : got32 != bits_of(expected32))
      FAIL(std::hex << a32 << " " << b32 << " " << c32);
  }
}

TEST_CASE("DIV_FIXUP: special operands decide, else the quotient with the division's sign", "[sim-numerics]") {
  const uint32_t one = bits_of(1.0f), inf = 0x7F800000, zero = 0, minus = 0x80000000, q = bits_of(7.0f);
  CHECK(div_fixup_f32(q, one, one) == q);
  CHECK(div_fixup_f32(q | minus, one, one) == q);
  CHECK(div_fixup_f32(q, one | minus, one) == (q | minus));
  CHECK(div_fixup_f32(q, 0x7F800001, 0xFF800002) == 0xFFC00002);
  CHECK(div_fixup_f32(q, 0x7F800001, one) == 0x7FC00001);
  CHECK(div_fixup_f32(q, zero, minus) == 0xFFC00000);
  CHECK(div_fixup_f32(q, inf, inf) == 0xFFC00000);
  CHECK(div_fixup_f32(q, minus, one) == (inf | minus));
  CHECK(div_fixup_f32(q, one, inf | minus) == (inf | minus));
  CHECK(div_fixup_f32(q, inf | minus, one) == minus);
  CHECK(div_fixup_f32(q, one, minus) == minus);
  CHECK(div_fixup_f32(q, bits_of(0x1p75f), bits_of(-0x1p-76f)) == minus);  // 151 exponents: below half the least
  CHECK(div_fixup_f32(q, bits_of(0x1p75f), bits_of(0x1p-75f)) == q);
  CHECK(div_fixup_f32(0x7FC00000, one, one | minus) == (inf | minus));
  CHECK(div_fixup_f32(inf, one, one) == inf);
  const uint64_t q64 = bits_of(7.0);
  CHECK(div_fixup_f64(q64, bits_of(-1.0), bits_of(2.0)) == bits_of(-7.0));
  CHECK(div_fixup_f64(q64, 0, 0) == 0xFFF8000000000000);
  CHECK(div_fixup_f64(q64, bits_of(0x1p538), bits_of(0x1p-538)) == 0);
  CHECK(div_fixup_f64(q64, bits_of(0x1p538), bits_of(0x1p-537)) == q64);
}

TEST_CASE("RCP: correctly rounded, and as far off as asked", "[sim-numerics]") {
  for (uint32_t bits = 1; bits < 0x7F800000; bits += 9973) {
    REQUIRE(rcp_f32(bits) == bits_of(1.0f / float_of(bits)));
    REQUIRE(rcp_f32(bits | 0x80000000) == bits_of(-1.0f / float_of(bits)));
  }
  std::mt19937_64 random(11);
  for (int i = 0; i < 100000; ++i) {
    const uint64_t bits = random() % 0x7FF0000000000000;
    REQUIRE(rcp_f64(bits) == bits_of(1.0 / double_of(bits)));
  }
  CHECK(rcp_f32(0x80000000) == 0xFF800000);
  CHECK(rcp_f32(0xFF800000) == 0x80000000);
  CHECK(rcp_f32(0x7F800001) == 0x7FC00001);
  CHECK(rcp_f64(0) == 0x7FF0000000000000);
  CHECK(rcp_f32(bits_of(3.0f), {1}) == bits_of(1.0f / 3) + 1);
  CHECK(rcp_f32(bits_of(-3.0f), {-1}) == bits_of(-1.0f / 3) - 1);
  CHECK(rcp_f32(0, {1}) == 0x7F800000);
  CHECK(rcp_f64(bits_of(3.0), {1 << 29}) == bits_of(1.0 / 3) + (1 << 29));
}
