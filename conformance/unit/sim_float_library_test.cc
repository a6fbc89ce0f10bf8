// The simulator's integral values, powers of two and FP16 arithmetic, all in integers, against the C library's and the host's.
#include <cmath>
#include <random>

#include "sim/float_arithmetic.h"
#include "sim/float_integral.h"
#include "sim/numerics/convert.h"
#include "sim_support.h"

using namespace adahop::hip::sim;

namespace {

constexpr unsigned kSamples = 200000;

// Differences from the C library for one pattern and one power of two.
template <typename F>
unsigned differences(bits_of_format<F> x, int power) {
  const auto value = from_bits(x);
  unsigned wrong = 0;
  const auto expect = [&wrong](bits_of_format<F> got, decltype(value) want) { wrong += got != to_bits(want) ? 1 : 0; };
  expect(to_integral<F, integral::toward_zero>(x), std::trunc(value));
  expect(to_integral<F, integral::down>(x), std::floor(value));
  expect(to_integral<F, integral::up>(x), std::ceil(value));
  expect(to_integral<F, integral::nearest_even>(x), std::nearbyint(value));
  expect(scale_by_power<F>(x, power), std::ldexp(value, power));
  if (magnitude<F>(x) == F::kInfinity) return wrong;  // C leaves the exponent open
  int exponent = 0;
  expect(binary_significand<F>(x), std::frexp(value, &exponent));
  return wrong + (binary_exponent<F>(x) != exponent ? 1 : 0);
}

}  // namespace

TEST_CASE("simulator: integral values, ldexp and frexp equal the C library's") {
  std::mt19937_64 random(20261129);
  unsigned wrong = 0;
  for (unsigned n = 0; n < kSamples; ++n) {
    const auto x = static_cast<uint32_t>(random());
    if (!is_nan<f32>(x)) wrong += differences<f32>(x, static_cast<int>(random() % 600) - 300);
    uint64_t y = random();
    if (n % 2 == 0) y = (y & 0x801FFFFFFFFFFFFFu) | (0x3E0 + random() % 80) << 52;  // about where fractions end
    if (!is_nan<f64>(y)) wrong += differences<f64>(y, static_cast<int>(random() % 4200) - 2100);
  }
  CHECK(wrong == 0);
}

// A float has more than twice the bits of an FP16 and two more, so rounding its sum or product again is rounding once.
TEST_CASE("simulator: FP16 sums and products equal those of the host's FP32, rounded") {
  std::mt19937 random(16);
  unsigned wrong = 0;
  for (uint32_t a = 0; a < 0x10000; ++a)
    for (unsigned n = 0; n < 4; ++n) {
      uint32_t b = static_cast<uint32_t>(random());
      if (n == 1) b = a + static_cast<uint32_t>(random() % 64) - 32;
      if (n == 2) b = (a ^ f16::kSign) + static_cast<uint32_t>(random() % 3) - 1;
      b &= 0xFFFFu;
      const float x = from_bits(cvt_f32_f16(a)), y = from_bits(cvt_f32_f16(b));
      const uint32_t sum = cvt_f16_f32(to_bits(x + y)), product = cvt_f16_f32(to_bits(x * y));
      if (!is_nan<f16>(sum)) wrong += add_f16(a, b) != sum ? 1 : 0;
      if (!is_nan<f16>(product)) wrong += mul_f16(a, b) != product ? 1 : 0;
    }
  CHECK(wrong == 0);
}
