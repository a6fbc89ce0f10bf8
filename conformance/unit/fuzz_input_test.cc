// A fuzzer's bytes as numbers and patterns: total, bounded, plain where bytes are missing.
#include <limits>
#include <set>
#include <vector>

#include "catch.h"
#include "conformance/suites/random.h"
#include "fuzz/input.h"

namespace adahop::fuzz {
namespace {

constexpr uint32_t kUnitBf16 = 0x10000;

TEST_CASE("behind the last byte everything is zero, the lowest, the first, no", "[fuzz]") {
  input in({});
  CHECK(in.empty());
  CHECK(in.byte() == 0);
  CHECK(in.word(8) == 0);
  CHECK(in.integer(-5, 300) == -5);
  CHECK(in.pick(std::array{7, 8, 9}) == 7);
  CHECK_FALSE(in.flag());
  CHECK_FALSE(in.rarely());

  const std::vector<uint8_t> three{0x11, 0x22, 0x33};
  input cut(three);
  CHECK(cut.byte() == 0x11);
  CHECK(cut.word(8) == 0x3322);
  CHECK(cut.empty());
}

TEST_CASE("an integer takes every value of its range and none outside", "[fuzz]") {
  for (const auto& [low, high] : {std::pair<int64_t, int64_t>{0, 0}, {1, 7}, {-3, 252}, {0, 255}, {10, 300}}) {
    std::set<int64_t> seen;
    for (int b = 0; b < 65536; ++b) {
      const std::vector<uint8_t> bytes{static_cast<uint8_t>(b), static_cast<uint8_t>(b >> 8)};
      input in(bytes);
      seen.insert(in.integer(low, high));
      // One byte tells 256 values apart, and one value needs none.
      const size_t used = high == low ? 0 : high - low < 256 ? 1 : 2;
      CHECK(in.word(8) == (used == 0 ? static_cast<uint64_t>(b) : used == 1 ? static_cast<uint64_t>(b >> 8) : 0));
    }
    CHECK(*seen.begin() == low);
    CHECK(*seen.rbegin() == high);
    CHECK(static_cast<int64_t>(seen.size()) == high - low + 1);
  }
  const std::vector<uint8_t> ones(8, 0xFF);
  using limit = std::numeric_limits<int64_t>;
  CHECK(input(ones).integer(limit::min(), limit::max()) == limit::max());
  CHECK(input({}).integer(limit::min(), limit::max()) == limit::min());
}

// All magnitudes that a family gives, with exponents about 2^0.
std::set<uint32_t> magnitudes(values family, uint32_t unit) {
  std::set<uint32_t> seen;
  for (uint64_t i = 0; i < 20000; ++i)
    seen.insert(float_pattern(family, {127, 1}, conformance::random_word(1, 2, i), unit) & 0x7FFFFFFFu);
  return seen;
}

TEST_CASE("ties are there, one unit below and one unit above, in the type that holds them", "[fuzz][spec:5.11]") {
  for (const uint32_t unit : {1u, kUnitBf16}) {
    std::set<uint32_t> expected;
    for (const uint32_t tie : {0x3E800000u, 0x3F400000u, 0x3FA00000u, 0x3FE00000u, 0x40200000u, 0x40600000u, 0x40A00000u, 0x40C00000u})
      expected.insert({tie - unit, tie, tie + unit});
    CHECK(magnitudes(values::tie, unit) == expected);
  }
}

TEST_CASE("amax stands where a scale rule takes the next byte", "[fuzz][spec:5.3][spec:5.4][spec:5.5]") {
  CHECK(magnitudes(values::amax, kUnitBf16) == std::set<uint32_t>{0x3F7F0000, 0x3F800000, 0x3F810000, 0x3FBF0000, 0x3FC00000,
                                                                  0x3FC10000, 0x3FDF0000, 0x3FE00000, 0x3FE10000, 0x3FFEFFFF,
                                                                  0x3FFFFFFF, 0x4000FFFF});
}

TEST_CASE("each family has the patterns that it is named after", "[fuzz]") {
  CHECK(magnitudes(values::zero, 1) == std::set<uint32_t>{0});
  CHECK(magnitudes(values::grid, 1) == std::set<uint32_t>{0x3F000000, 0x3F800000, 0x3FC00000, 0x40000000, 0x40400000, 0x40800000, 0x40C00000});
  for (const uint32_t bits : magnitudes(values::subnormal, 1)) REQUIRE(bits >> 23 <= 8);
  for (const uint32_t bits : magnitudes(values::huge, 1)) REQUIRE((bits >> 23 >= 247 && bits >> 23 <= 254));
  for (const uint32_t bits : magnitudes(values::nonfinite, 1)) REQUIRE(bits >= 0x7F800000u);
  CHECK(magnitudes(values::nonfinite, 1).size() == 5);
  for (const uint32_t bits : magnitudes(values::uniform, 1)) REQUIRE(bits >> 23 == 127);
  CHECK(magnitudes(values::subnormal, 1).size() > 1000);
  CHECK(magnitudes(values::raw, 1).size() > 19000);
}

TEST_CASE("windows at the ends stay finite and normal", "[fuzz]") {
  for (const int low : {0, 1, 254, 255})
    for (uint64_t i = 0; i < 2000; ++i)
      for (const values family : {values::uniform, values::grid}) {
        const uint32_t field = float_pattern(family, {low, 24}, conformance::random_word(1, 3, i), 1) >> 23 & 0xFF;
        REQUIRE((field >= 1 && field <= 254));
      }
}

}  // namespace
}  // namespace adahop::fuzz
