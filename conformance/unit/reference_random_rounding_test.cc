// Stochastic rounding of one element: every gap of the grid, all words of 8 bits, exactness, saturation; gfx950_sr
// against its description in real numbers; the random words.
#include <array>

#include "adahop/formats/philox.h"
#include "reference/stochastic.h"
#include "reference_support.h"

using namespace adahop;
using reference::encode_e2m1_gfx950_sr;
using reference::encode_e2m1_stochastic;

namespace {

constexpr double kGrid[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
constexpr uint8_t kBytes[] = {0, 1, 2, 64, 127, 128, 200, 252};

// The FP32 that is a * 2^(byte-127) exactly.
float scaled(double a, int byte) {
  const double v = std::ldexp(a, byte - 127);
  REQUIRE(static_cast<double>(static_cast<float>(v)) == v);
  return static_cast<float>(v);
}

uint32_t stochastic(float v, int byte, uint32_t u, int bits) {
  return code_of(encode_e2m1_stochastic(v, e8m0_of(static_cast<uint32_t>(byte)), u, bits));
}

uint32_t gfx950(float v, int byte, uint32_t word) {
  return code_of(encode_e2m1_gfx950_sr(v, e8m0_of(static_cast<uint32_t>(byte)), word));
}

// |v| / 2^(byte-127), exactly: an FP32 times a power of two.
double quotient_of(float v, int byte) { return std::ldexp(std::fabs(static_cast<double>(v)), 127 - byte); }

// The code of the largest grid value at most a.
uint32_t code_below(double a) {
  uint32_t code = 7;
  while (kGrid[code] > a) --code;
  return code;
}

// How many of the words 0 .. 2^bits - 1 give the upper of the two neighbours of a; any third code fails.
uint32_t count_up(double a, bool negative, int byte, int bits) {
  const float v = scaled(negative ? -a : a, byte);
  const uint32_t low = code_below(a), sign = negative ? 8 : 0;
  uint32_t up = 0;
  for (uint32_t u = 0; u < 1u << bits; ++u) {
    const uint32_t code = stochastic(v, byte, u, bits);
    if (code != (sign | low)) REQUIRE(code == (sign | (low + 1)));
    up += code != (sign | low) ? 1 : 0;
  }
  return up;
}

}  // namespace

TEST_CASE("Philox4x32-10 gives the known answers of the Random123 distribution", "[spec:5.18]") {
  const auto words = [](uint64_t seed, philox_words counter) {
    const philox_words w = philox4x32_10(seed, counter);
    return std::array<uint32_t, 4>{w.word[0], w.word[1], w.word[2], w.word[3]};
  };
  using answer = std::array<uint32_t, 4>;
  CHECK(words(0, {{0, 0, 0, 0}}) == answer{0x6627E8D5u, 0xE169C58Du, 0xBC57AC4Cu, 0x9B00DBD8u});
  CHECK(words(~uint64_t{0}, {{~0u, ~0u, ~0u, ~0u}}) == answer{0x408F276Du, 0x41C83B0Eu, 0xA20BC7C6u, 0x6D5451FDu});
  CHECK(words(0x299F31D0A4093822u, {{0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u}}) ==
        answer{0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u});
}

TEST_CASE("8 bits: of all 256 words exactly floor(fraction * 256) round up", "[spec:5.17][spec:5.19]") {
  // 2^-16 of a gap: finer than a word by 8 bits, so that the floor matters.
  test::generator random(300);
  std::vector<uint32_t> steps = {0,     1,     2,     127,   128,   129,   254,   255,
                                 32767, 32768, 32769, 65279, 65280, 65281, 65534, 65535};
  for (int i = 0; i < 60; ++i) steps.push_back(random.bits() & 0xFFFFu);
  for (const uint32_t n : {256u, 512u, 4096u, 65536u - 512u})
    for (const uint32_t around : {n - 1, n, n + 1}) steps.push_back(around);
  for (const int byte : kBytes)
    for (uint32_t low = 0; low < 7; ++low)
      for (const bool negative : {false, true})
        for (const uint32_t n : steps) {
          const double a = kGrid[low] + (kGrid[low + 1] - kGrid[low]) * n / 65536;
          CAPTURE(byte, low, negative, n);
          REQUIRE(count_up(a, negative, byte, 8) == n >> 8);
        }
}

TEST_CASE("other widths: 1 to 12 bits count likewise", "[spec:5.17][spec:5.19]") {
  for (const int bits : {1, 2, 3, 5, 7, 11, 12})
    for (uint32_t low = 0; low < 7; ++low)
      for (const uint32_t n : {0u, 1u, 15u, 4095u, 16384u, 32767u, 32768u, 49152u, 65535u}) {
        const double a = kGrid[low] + (kGrid[low + 1] - kGrid[low]) * n / 65536;
        CAPTURE(bits, low, n);
        REQUIRE(count_up(a, false, 127, bits) == n >> (16 - bits));
      }
}

TEST_CASE("any width, any value: the word one below the fraction rounds up, the fraction itself does not",
          "[spec:5.17][spec:5.18]") {
  test::generator random(301);
  int close = 0;
  for (int repeat = 0; repeat < 200000; ++repeat) {
    const int byte = random.integer(0, 253), bits = random.integer(1, 32);
    const float v = random.with_exponent(std::max(0, byte - 40), std::min(254, byte + 2));
    const double a = quotient_of(v, byte);
    if (a >= 6) continue;
    const uint32_t sign = std::signbit(v) ? 8 : 0, low = code_below(a);
    // Exact: a - lo has no more than 24 bits, and the gap is a power of two.
    const double fraction = std::floor(std::ldexp((a - kGrid[low]) / (kGrid[low + 1] - kGrid[low]), bits));
    const uint64_t f = static_cast<uint64_t>(fraction);
    CAPTURE(v, byte, bits, f);
    REQUIRE(f < uint64_t{1} << bits);
    REQUIRE(stochastic(v, byte, static_cast<uint32_t>(f), bits) == (sign | low));
    REQUIRE(stochastic(v, byte, static_cast<uint32_t>((uint64_t{1} << bits) - 1), bits) == (sign | low));
    if (f > 0) REQUIRE(stochastic(v, byte, static_cast<uint32_t>(f - 1), bits) == (sign | (low + 1)));
    if (f > 0) REQUIRE(stochastic(v, byte, 0, bits) == (sign | (low + 1)));
    close += f > 0 ? 1 : 0;
  }
  CHECK(close > 50000);
}

TEST_CASE("grid values, zeros and everything from 6 on do not depend on the word",
          "[spec:5.17][spec:5.19][spec:5.12]") {
  test::generator random(302);
  const std::vector<double> large = {6, 6.5, 7, 7.999, 8, 1000, std::ldexp(1.0, 100)};
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const uint32_t word = repeat == 0 ? 0 : repeat == 1 ? ~0u : random.bits();
    for (uint32_t code = 0; code < 16; ++code)
      for (const int byte : kBytes) {
        const float v = scaled((code & 8) != 0 ? -kGrid[code & 7] : kGrid[code & 7], byte);
        REQUIRE(stochastic(v, byte, word >> 24, 8) == code);
        REQUIRE(stochastic(v, byte, word, 32) == code);
        REQUIRE(gfx950(v, byte, word) == code);
      }
    for (const double a : large) {
      REQUIRE(stochastic(static_cast<float>(a), 127, word >> 24, 8) == 7);
      REQUIRE(stochastic(static_cast<float>(-a), 127, word >> 24, 8) == 15);
      REQUIRE(gfx950(static_cast<float>(a), 127, word) == 7);
      REQUIRE(gfx950(static_cast<float>(-a), 127, word) == 15);
    }
    REQUIRE(stochastic(float_of(0x7F7FFFFFu), 0, word, 32) == 7);
    REQUIRE(gfx950(float_of(0xFF7FFFFFu), 0, word) == 15);
    REQUIRE(stochastic(float_of(1), 253, word, 32) == 0);
    REQUIRE(gfx950(float_of(0x80000001u), 253, word) == 8);
  }
}

TEST_CASE("gfx950_sr: 22 random bits below the kept one, then truncation", "[spec:5.21]") {
  // In units of 2^(k-23) with 2^k <= a < 2^(k+1), or k = 0 below 1, a is an integer or loses what is below one; the
  // grid lies at multiples of 2^22 units.
  test::generator random(303);
  int ups = 0, below_one = 0;
  for (int repeat = 0; repeat < 400000; ++repeat) {
    const int byte = random.integer(0, 253);
    const float v = random.with_exponent(std::max(0, byte - 24), std::min(254, byte + 3));
    const double a = quotient_of(v, byte);
    if (a >= 8) continue;
    const int k = a >= 4 ? 2 : a >= 2 ? 1 : 0;
    const uint64_t units = static_cast<uint64_t>(std::floor(std::ldexp(a, 23 - k)));
    const uint64_t distance = (uint64_t{1} << 22) - (units & 0x3FFFFFu);  // the smallest random part that carries
    for (const uint64_t part : {uint64_t{random.bits() >> 10}, distance - 1, distance}) {
      if (part >= uint64_t{1} << 22) continue;
      const uint32_t word = static_cast<uint32_t>(part << 10) | (random.bits() & 0x3FFu);  // the low 10 bits are unused
      const double expected = std::min(6.0, std::ldexp(static_cast<double>((units + part) >> 22 << 22), k - 23));
      const e2m1 code = encode_e2m1_gfx950_sr(v, e8m0_of(static_cast<uint32_t>(byte)), word);
      CAPTURE(v, byte, word);
      REQUIRE(static_cast<double>(std::fabs(decode_e2m1(code))) == expected);
      REQUIRE(code_of(code) >> 3 == (std::signbit(v) ? 1u : 0u));
      ups += expected > a ? 1 : 0;
      below_one += a < 1 ? 1 : 0;
    }
  }
  CHECK(ups > 100000);
  CHECK(below_one > 100000);
}

TEST_CASE("gfx950_sr: what is dropped below 1 is dropped before the random bits are added", "[spec:5.21]") {
  // 0.25 + 2^-25 in units of 2^-23 is 2^21 and a quarter, which is dropped: the word that just fails for 0.25 fails
  // too.
  const uint32_t just_short = ((1u << 21) - 1) << 10, enough = (1u << 21) << 10;
  for (const float v : {0.25f, 0.25f + std::ldexp(1.0f, -25)}) {
    CHECK(gfx950(v, 127, just_short) == 0);
    CHECK(gfx950(v, 127, just_short | 0x3FF) == 0);
    CHECK(gfx950(v, 127, enough) == 1);
  }
  // Unbiased stochastic rounding tells them apart with 32 bits.
  CHECK(stochastic(0.25f, 127, 0x80000000u, 32) == 0);
  CHECK(stochastic(0.25f + std::ldexp(1.0f, -25), 127, 0x80000000u, 32) == 1);
  // Below 2^-23 nothing is left.
  CHECK(gfx950(std::ldexp(1.0f, -23) - std::ldexp(1.0f, -47), 127, ~0u) == 0);
  CHECK(gfx950(std::ldexp(1.0f, -23), 127, ~0u) == 1);
}

TEST_CASE("the words: top bits of Philox, and the step between the elements of a pair", "[spec:5.18][spec:5.20]") {
  test::generator random(304);
  int feedback = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const uint64_t seed = random.bits64(), position = random.bits64();
    const uint32_t low = static_cast<uint32_t>(position), high = static_cast<uint32_t>(position >> 32);
    const uint32_t word = philox4x32_10(seed, {{low, high, 0, 0}}).word[0];
    for (const int bits : {1, 8, 31, 32})
      REQUIRE(reference::stochastic_bits(seed, position, bits) == word >> (32 - bits));
    const uint32_t r = philox4x32_10(seed, {{low, high, 0, 2}}).word[0];
    const reference::gfx950_words words = reference::gfx950_sr_words(seed, position);
    REQUIRE(words.even == r);
    REQUIRE(words.odd == (r >= 0x80000000u ? (r * 2u) ^ 197u : r * 2u));
    feedback += r >= 0x80000000u ? 1 : 0;
  }
  CHECK(feedback > 400);
  CHECK(feedback < 600);
}
