// Philox, stochastic rounding and gfx950_sr against the definitions in real numbers: single elements over all ranges of
// scale, and every element of whole tensors with the words that its place gives it.
#include <algorithm>
#include <bit>

#include "adahop/formats/philox.h"
#include "catch.h"
#include "independent/random_words.h"
#include "independent_models_support.h"
#include "reference/backend.h"
#include "reference/stochastic.h"
#include "repetitions.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// FP32 patterns around every grid value and midpoint of the scale 2^(byte-127), of both signs, that FP32 holds.
std::vector<uint32_t> edges(uint8_t byte) {
  std::vector<uint32_t> patterns = {0u, 1u, 2u, 0x007FFFFFu, 0x00800000u, 0x7F7FFFFFu};
  for (int eighths = 0; eighths <= 64; ++eighths) {
    const uint32_t at =
        independent::round_to_fp32(independent::rational(eighths).scaled(-3) * independent::value_of_scale(byte));
    for (const uint32_t pattern : {at - 1, at, at + 1})
      if (independent::is_finite(pattern)) patterns.push_back(pattern & 0x7FFFFFFFu);
  }
  const size_t count = patterns.size();
  for (size_t i = 0; i < count; ++i) patterns.push_back(patterns[i] | 0x80000000u);
  return patterns;
}

struct element_check {
  int64_t wrong = 0;
  uint32_t bits = 0, word = 0, got = 0, expected = 0;
  int byte = 0, random_bits = 0;

  void note(uint32_t pattern, uint8_t scale, uint32_t random, int count, uint32_t result, uint32_t right) {
    if (result == right || wrong++ != 0) return;
    bits = pattern, word = random, got = result, expected = right;
    byte = scale, random_bits = count;
  }
  void stochastic(uint32_t pattern, uint8_t scale, uint32_t u, int count) {
    note(pattern, scale, u, count,
         adahop::code_of(adahop::reference::encode_e2m1_stochastic(std::bit_cast<float>(pattern),
                                                                   adahop::e8m0_of(scale), u, count)),
         independent::stochastic_code(pattern, scale, u, count));
  }
  void gfx950(uint32_t pattern, uint8_t scale, uint32_t random) {
    note(pattern, scale, random, 0,
         adahop::code_of(adahop::reference::encode_e2m1_gfx950_sr(std::bit_cast<float>(pattern),
                                                                  adahop::e8m0_of(scale), random)),
         independent::gfx950_code(pattern, scale, random));
  }
};

void report(const element_check& check) {
  CAPTURE(check.bits, check.byte, check.random_bits, check.word, check.got, check.expected);
  CHECK(check.wrong == 0);
}

}  // namespace

TEST_CASE("Philox written twice gives the same words, and the published ones", "[independent][spec:5.18]") {
  using words = std::array<uint32_t, 4>;
  CHECK(independent::philox4x32_10({0x243F6A88u, 0x85A308D3u, 0x13198A2Eu, 0x03707344u}, {0xA4093822u, 0x299F31D0u}) ==
        words{0xD16CFE09u, 0x94FDCCEBu, 0x5001E420u, 0x24126EA1u});
  source random(70);
  int wrong = 0;
  for (int i = 0; i < adahop::test::repetitions(10000); ++i) {
    const words counter = {random.bits(), random.bits(), random.bits(), random.bits()};
    const std::array<uint32_t, 2> key = {random.bits(), random.bits()};
    const adahop::philox_words got = adahop::philox4x32_10(
        key[0] | uint64_t{key[1]} << 32, {{counter[0], counter[1], counter[2], counter[3]}});
    if (independent::philox4x32_10(counter, key) != words{got.word[0], got.word[1], got.word[2], got.word[3]}) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("stochastic elements at and beside every edge, all scale bytes, all counts of bits",
          "[independent][spec:5.17][spec:5.19]") {
  source random(71);
  element_check check;
  for (int byte = 0; byte <= 254; byte += adahop::test::kReduction)
    for (const uint32_t pattern : edges(static_cast<uint8_t>(byte))) {
      const int count = random.between(1, 32);
      const uint32_t mask = count == 32 ? ~0u : (1u << count) - 1;
      for (const uint32_t u : {0u, mask, mask / 2, mask / 2 + 1, random.bits() & mask})
        check.stochastic(pattern, static_cast<uint8_t>(byte), u & mask, count);
    }
  report(check);
}

TEST_CASE("stochastic elements of random value: the last word that rounds up and the first that does not",
          "[independent][spec:5.17][spec:5.19]") {
  source random(72);
  element_check check;
  for (int i = 0; i < adahop::test::repetitions(30000); ++i) {
    const int byte = random.between(0, 254), count = random.between(1, 32);
    const int field = std::clamp(byte + random.between(-26, 3), 0, 254);
    const uint32_t pattern = random.fp32(field, field);
    const uint32_t mask = count == 32 ? ~0u : (1u << count) - 1;
    // Bisection over the monotone answer: low rounds up (or nothing does), high does not.
    const auto code = [&](uint32_t u) {
      return independent::stochastic_code(pattern, static_cast<uint8_t>(byte), u, count);
    };
    uint32_t low = 0, high = mask;
    while (high - low > 1) {
      const uint32_t middle = low + (high - low) / 2;
      (code(middle) == code(0) ? low : high) = middle;
    }
    for (const uint32_t u : {low, high, random.bits() & mask})
      check.stochastic(pattern, static_cast<uint8_t>(byte), u, count);
  }
  report(check);
}

TEST_CASE("8 bits: the 256 words round up exactly floor(fraction * 256) times", "[independent][spec:5.19]") {
  source random(73);
  int wrong = 0;
  for (int i = 0; i < adahop::test::repetitions(150); ++i) {
    const uint32_t pattern = random.fp32(122, 129);
    int up = 0;
    const uint8_t lowest = independent::stochastic_code(pattern, 127, 255, 8);  // 255 is below no floor(f * 256)
    for (uint32_t u = 0; u < 256; ++u)
      if (adahop::code_of(adahop::reference::encode_e2m1_stochastic(std::bit_cast<float>(pattern), adahop::e8m0_of(127),
                                                                    u, 8)) != lowest)
        ++up;
    const independent::rational a = independent::value_of(pattern).magnitude();
    int expected = 0;
    if (a < independent::rational(6)) {
      const independent::rational below = independent::value_of_code(lowest & 7u).magnitude();
      const independent::rational above = independent::value_of_code(static_cast<uint8_t>((lowest & 7u) + 1));
      expected = static_cast<int>(((a - below) / (above - below)).scaled(8).floor_integer());
    }
    if (up != expected) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("gfx950_sr elements at and beside every edge and of random value, all scale bytes",
          "[independent][spec:5.21]") {
  source random(74);
  element_check check;
  for (int byte = 0; byte <= 254; byte += adahop::test::kReduction)
    for (const uint32_t pattern : edges(static_cast<uint8_t>(byte)))
      for (const uint32_t word : {0u, 0xFFFFFFFFu, 0xFFFFFC00u, 0x80000000u, 0x7FFFFFFFu, 0x3FFu, random.bits()})
        check.gfx950(pattern, static_cast<uint8_t>(byte), word);
  for (int i = 0; i < adahop::test::repetitions(60000); ++i) {
    const int byte = random.between(0, 254);
    const int field = std::clamp(byte + random.between(-26, 3), 0, 254);
    check.gfx950(random.fp32(field, field), static_cast<uint8_t>(byte), random.bits());
  }
  report(check);
}

TEST_CASE("words of elements depend on seed, offset and place as stated", "[independent][spec:5.18][spec:5.20]") {
  source random(75);
  int wrong = 0;
  for (int i = 0; i < adahop::test::repetitions(3000); ++i) {
    const uint64_t seed = random.bits() | uint64_t{random.bits()} << 32;
    const uint64_t offset = i % 2 == 0 ? ~uint64_t{0} - static_cast<uint64_t>(random.between(0, 50)) : random.bits();
    const uint64_t index = static_cast<uint64_t>(random.between(0, 100));  // beyond 2^64 for half of them
    const int bits = random.between(1, 32);
    if (adahop::reference::stochastic_bits(seed, offset + index, bits) !=
        independent::stochastic_word(bits, seed, offset, index))
      ++wrong;
    const uint64_t outer = static_cast<uint64_t>(random.between(0, 200));
    const uint64_t inner = static_cast<uint64_t>(random.between(1, 99));
    const uint64_t pairs = (inner + 1) / 2, pair = static_cast<uint64_t>(random.bits()) % pairs;
    const adahop::reference::gfx950_words words = adahop::reference::gfx950_sr_words(seed, outer * pairs + pair);
    if (words.even != independent::gfx950_word(seed, outer, 2 * pair, inner)) ++wrong;
    if (words.odd != independent::gfx950_word(seed, outer, 2 * pair + 1, inner)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("every element of random tensors is rounded by its own word",
          "[independent][spec:5.7][spec:5.14][spec:5.17][spec:5.18][spec:5.20][spec:5.21][spec:3.7][spec:3.8]") {
  source random(76);
  adahop::test::case_picker picked;
  for (const char* const rounding :
       {"stochastic(1,0,0)", "stochastic(8,7,0)", "stochastic(13,1,4294967290)",
        "stochastic(32,18446744073709551615,18446744073709551600)", "gfx950_sr(0)", "gfx950_sr(11400714819323198485)"})
    for (const content kind : kAllContents)
      for (const int cols : {32, 96, 1, 33, 77}) {
        if (!picked.runs()) continue;
        const adahop_scale_rule rule = kScaleRules[random.between(0, 3)];
        adahop_policy policy = policy_with(std::string("pad=zero,element_rounding=") + rounding);
        policy.scale_rule = rule;
        const bool bf16_input = random.between(0, 1) != 0;
        const independent::fp32_matrix x = make(random, 7, cols, kind, bf16_input);
        const independent::mx_tensor expected = independent::quantize(
            independent::zero_padded(x, policy.hadamard_size), rule_of(rule), 0, rounding_of(policy), cols);
        const adahop::matrix<float> floats = to_floats(x);
        const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
        const laid_out_call call = quantize_laid_out(
            reference(), policy, bf16_input ? adahop::view_of(bf16s) : adahop::view_of(floats));
        CAPTURE(rounding, name(kind), cols, rule, bf16_input);
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.mx.codes, packed_codes(expected)) == "");
        CHECK(difference(call.mx.scales, expected.scales) == "");
        CHECK(call.result.clipped == expected.clipped);
        CHECK(call.result.first_nonfinite == independent::first_nonfinite(x));
      }
}
