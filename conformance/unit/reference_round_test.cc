// FP32 to BF16, and an integer times a power of two to FP32.
#include "reference/accumulate/round_f32.h"
#include "reference/output.h"
#include "reference/round_bf16.h"
#include "reference_support.h"

using namespace adahop;
using reference::round_bf16;

namespace {

// The nearer of the two BF16 neighbours of a finite positive value, in double, where both and the distances are exact.
uint32_t nearest_bf16(uint32_t bits) {
  const auto value = [](uint32_t upper) {
    return upper == 0x7F80u ? std::ldexp(1.0, 128) : static_cast<double>(float_of(upper << 16));
  };
  const uint32_t below = bits >> 16, above = below + 1;
  const double v = static_cast<double>(float_of(bits));
  const double down = v - value(below), up = value(above) - v;
  if (down != up) return down < up ? below : above;
  return below % 2 == 0 ? below : above;
}

}  // namespace

TEST_CASE("BF16 rounding over every upper half", "[spec:2.8]") {
  constexpr uint32_t kLow[] = {0, 1, 2, 0x3FFF, 0x4000, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0x8002, 0xC000, 0xFFFE, 0xFFFF};
  for (uint32_t high = 0; high < 0x10000; ++high)
    for (const uint32_t low : kLow) {
      const uint32_t bits = high << 16 | low, magnitude = bits & 0x7FFFFFFFu;
      uint32_t expected = 0x7FC0u;
      if (magnitude == 0x7F800000u) expected = high;
      if (magnitude < 0x7F800000u) expected = nearest_bf16(magnitude) | (high & 0x8000u);
      if (round_bf16(float_of(bits)).bits != expected) {
        INFO(std::hex << bits);
        REQUIRE(round_bf16(float_of(bits)).bits == expected);
      }
    }
}

TEST_CASE("F19: BF16 narrowing of NaN, ties and subnormals", "[spec:2.8][spec:1.4]") {
  const auto bits = [](uint32_t v) { return round_bf16(float_of(v)).bits; };
  CHECK(bits(0x7F800001u) == 0x7FC0u);
  CHECK(bits(0xFFFFFFFFu) == 0x7FC0u);
  CHECK(bits(0xFF800001u) == 0x7FC0u);
  CHECK(bits(0x7F7FFFFFu) == 0x7F80u);
  CHECK(bits(0xFF7FFFFFu) == 0xFF80u);
  CHECK(bits(0x3F808000u) == 0x3F80u);
  CHECK(bits(0x3F818000u) == 0x3F82u);
  CHECK(bits(0x3F808001u) == 0x3F81u);
  CHECK(bits(0x00008000u) == 0x0000u);
  CHECK(bits(0x00018000u) == 0x0002u);
  CHECK(bits(0x80000001u) == 0x8000u);
}

TEST_CASE("stored NaNs are canonical", "[spec:1.4][spec:10.8]") {
  matrix<float> f(1, 3);
  matrix<bf16> b(1, 3);
  const uint32_t nans[] = {0x7F800001u, 0xFFC00000u, 0xFFFFFFFFu};
  for (int i = 0; i < 3; ++i) {
    reference::store(view_of(f), 0, i, float_of(nans[i]));
    reference::store(view_of(b), 0, i, float_of(nans[i]));
    CHECK(bits_of(f.data[static_cast<size_t>(i)]) == 0x7FC00000u);
    CHECK(b.data[static_cast<size_t>(i)].bits == 0x7FC0u);
  }
  const double negative_nan = __builtin_bit_cast(double, uint64_t{0xFFF8000000000001u});
  CHECK(__builtin_bit_cast(uint64_t, reference::canonical(negative_nan)) == 0x7FF8000000000000u);
}

TEST_CASE("an integer times a power of two is rounded once", "[spec:10.4][spec:10.5]") {
  // long double holds 64-bit integers exactly and has exponents to spare, so its conversion to float is the one rounding.
  static_assert(std::numeric_limits<long double>::digits >= 64);
  test::generator random(2);
  for (int exponent = -230; exponent <= 130; ++exponent)
    for (int i = 0; i < 2000; ++i) {
      // Magnitudes of every length, many of them with long runs of zeros or ones below the leading bits.
      uint64_t magnitude = random.bits64() >> random.integer(0, 63);
      if (i % 3 == 1) magnitude &= ~uint64_t{0} << random.integer(0, 63);
      if (i % 3 == 2) magnitude |= ~(~uint64_t{0} << random.integer(0, 63));
      if (magnitude == 0) magnitude = 1;
      const bool negative = i % 2 == 1;
      const long double exact = std::ldexp(static_cast<long double>(magnitude), exponent);
      const uint32_t expected = bits_of(static_cast<float>(negative ? -exact : exact));
      if (reference::round_f32(negative, magnitude, exponent) != expected) {
        INFO(std::hex << magnitude << std::dec << " * 2^" << exponent);
        REQUIRE(reference::round_f32(negative, magnitude, exponent) == expected);
      }
    }
}
