// The superaccumulator against 128-bit integers, at its ends, and its two ways out.
#include "reference/accumulate/superaccumulator.h"

#include "models_support.h"

using namespace adahop;
using reference::superaccumulator;

namespace {

uint32_t rounded_bits(std::initializer_list<std::pair<int64_t, int>> terms) {
  superaccumulator sum;
  for (const auto& [value, exponent] : terms) sum.add(value, exponent);
  return bits_of(sum.rounded());
}

}  // namespace

TEST_CASE("superaccumulator: random sums equal those of 128-bit integers wherever they lie", "[spec:10.11]") {
  test::generator random(700);
  for (int repeat = 0; repeat < 20000; ++repeat) {
    const int base = random.integer(-149, 60);
    superaccumulator sum;
    __int128 expected = 0;
    for (int i = random.integer(1, 12); i > 0; --i) {
      const int64_t value = static_cast<int64_t>(random.bits64()) >> random.integer(1, 62);
      const int shift = random.integer(0, 50);
      sum.add(value, base + shift);
      expected += static_cast<__int128>(value) << shift;
    }
    const bool negative = expected < 0;
    const auto magnitude = static_cast<unsigned __int128>(negative ? -expected : expected);
    REQUIRE(sum.is_zero() == (expected == 0));
    // Up to 53 bits a double holds the sum exactly.
    if (magnitude >> 53 == 0) {
      const double exact = std::ldexp(static_cast<double>(static_cast<uint64_t>(magnitude)), base);
      REQUIRE(sum.magnitude_up() == exact);
      REQUIRE(bits_of(sum.rounded()) == bits_of(static_cast<float>(negative ? -exact : exact)));
    } else {
      int top = 127;
      while ((magnitude >> top & 1) == 0) --top;
      REQUIRE(sum.reaches(base + top));
      REQUIRE(!sum.reaches(base + top + 1));
      const int drop = top - 52;
      const auto kept = static_cast<uint64_t>(magnitude >> drop);
      const bool lost = (static_cast<unsigned __int128>(kept) << drop) != magnitude;
      REQUIRE(sum.magnitude_up() == std::ldexp(static_cast<double>(kept + (lost ? 1 : 0)), base + drop));
    }
  }
}

TEST_CASE("superaccumulator: one bit far below decides a tie, and cancels again", "[spec:10.11][spec:10.5]") {
  CHECK(rounded_bits({{(1 << 24) + 1, 0}}) == bits_of(0x1p24f));                  // a tie to even
  CHECK(rounded_bits({{(1 << 24) + 1, 0}, {1, -266}}) == bits_of(0x1p24f + 2));   // above it
  CHECK(rounded_bits({{(1 << 24) + 3, 0}, {-1, -266}}) == bits_of(0x1p24f + 2));  // below the tie to 2^24 + 4
  CHECK(rounded_bits({{(1 << 24) + 3, 0}, {-1, -266}, {1, -266}}) == bits_of(0x1p24f + 4));
  CHECK(rounded_bits({{4608, 252}, {-4608, 252}, {1, -256}}) == 0u);  // rounds to zero, sign kept
  CHECK(rounded_bits({{4608, 252}, {-4608, 252}, {-1, -256}}) == 0x80000000u);
  CHECK(rounded_bits({{4608, 252}, {-4608, 252}, {3, -150}}) == 2u);  // 1.5 subnormal units, to even
  CHECK(rounded_bits({{4608, 252}, {-4608, 252}}) == 0u);
  CHECK(rounded_bits({{-4608, 252}}) == 0xFF800000u);
  CHECK(rounded_bits({{1, 128}, {-1, 103}}) == 0x7F800000u);  // half a unit below 2^128
  CHECK(rounded_bits({{1, 128}, {-1, 103}, {-1, -256}}) == 0x7F7FFFFFu);
}

TEST_CASE("superaccumulator: adding every kind of FP32 gives it back", "[spec:10.11]") {
  for (const uint32_t bits :
       {0x00000001u, 0x007FFFFFu, 0x00800000u, 0x3F800001u, 0x7F7FFFFFu, 0x80000001u, 0xFF7FFFFFu}) {
    superaccumulator sum;
    sum.add(float_of(bits));
    CHECK(bits_of(sum.rounded()) == bits);
    sum.add(-float_of(bits));
    CHECK(sum.is_zero());
  }
}
