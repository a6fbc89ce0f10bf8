// Laws of rounding by random words: exact probabilities over all words, what never moves, and where words come from.
#include <fmt/format.h>

#include <cmath>

#include "catch.h"
#include "conformance/independent/random_words.h"
#include "reference/stochastic.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

constexpr uint32_t kSign = 0x80000000u;

// A value under byte 127, so that |v| is what lies on the grid, and its neighbours there.
struct grid_place {
  uint32_t bits;  ///< of v
  double a;       ///< |v|, below 6
  uint32_t low;   ///< code of the grid value at or below a
  double lo, hi;
};

double grid(uint32_t code) { return 0.5 * value_x2(e2m1_of(code)); }

grid_place pick_below_six() {
  // Fields 118 to 129 are 2^-9 to 8; what is not below 6 is halved.
  uint32_t bits = pick_value("v", {.min_exponent = 118, .max_exponent = 129});
  if (std::fabs(float_of(bits)) >= 6) bits -= 1u << 23;
  grid_place place{bits, std::fabs(static_cast<double>(float_of(bits))), 0, 0, 0};
  while (grid(place.low + 1) <= place.a) ++place.low;
  place.lo = grid(place.low);
  place.hi = grid(place.low + 1);
  return place;
}

constexpr e8m0 kOne = e8m0_of(kE8m0Bias);

TEST_CASE("stochastic rounding goes up exactly as often as it should", "[property][spec:5.17][spec:5.19]") {
  check_property("of all 2^bits numbers exactly floor((a - lo) 2^bits / (hi - lo)) round up", 900, [] {
    const grid_place at = pick_below_six();
    const auto bits = static_cast<int32_t>(pick_integer("bits", 1, 10));
    // a - lo and the gap are exact in FP64, the gap a power of two.
    const auto wanted = static_cast<uint32_t>(std::floor((at.a - at.lo) * std::ldexp(1.0, bits) / (at.hi - at.lo)));
    uint32_t up = 0;
    for (uint32_t u = 0; u < 1u << bits; ++u) {
      const uint32_t code = code_of(reference::encode_e2m1_stochastic(float_of(at.bits), kOne, u, bits));
      require_equal(code >> 3, at.bits >> 31, "sign");
      require((code & 7u) == at.low || (code & 7u) == at.low + 1, fmt::format("u {}: code {}", u, code));
      if ((code & 7u) != at.low) ++up;
      require((code & 7u) == (u < wanted ? at.low + 1 : at.low),
              fmt::format("u {} of {} that go up: code {}", u, wanted, code));
    }
    require_equal(up, wanted, "numbers that round up");
  });
  check_property("at the threshold of many bits", 3000, [] {
    const grid_place at = pick_below_six();
    const auto bits = static_cast<int32_t>(pick_integer("bits", 11, 32));
    const double limit = std::floor((at.a - at.lo) * std::ldexp(1.0, bits) / (at.hi - at.lo));
    const auto code = [&](double u) {
      return code_of(reference::encode_e2m1_stochastic(float_of(at.bits), kOne, static_cast<uint32_t>(u), bits)) & 7u;
    };
    const double last = std::ldexp(1.0, bits) - 1;
    if (limit > 0) require_equal(code(limit - 1), at.low + 1, "the last number that rounds up");
    if (limit <= last) require_equal(code(limit), at.low, "the first number that does not");
    require_equal(code(last), at.low, "the largest number");
  });
}

TEST_CASE("gfx950's rounding goes up exactly as often as its 22 bits say", "[property][spec:5.20][spec:5.21]") {
  check_property("gfx950_sr: up iff the word's top 22 bits carry with the 22 bits below the kept one", 3000, [] {
    const grid_place at = pick_below_six();
    constexpr double kWords = 0x1p22;
    // The bits that are added to: (a - lo) / (hi - lo), cut to 22 bits; below 1 the shift drops those of a below 2^-23.
    const double rest = std::floor((at.a - at.lo) / (at.hi - at.lo) * kWords);
    const auto code = [&](double top) {
      const auto low = static_cast<uint32_t>(pick_integer("ignored bits", 0, 1023));
      return code_of(reference::encode_e2m1_gfx950_sr(float_of(at.bits), kOne, static_cast<uint32_t>(top) << 10 | low));
    };
    const uint32_t sign = at.bits >> 31 << 3;
    const double first_up = kWords - rest;
    require_equal(code(first_up - 1), sign | at.low, "the last word that stays");
    require_equal(code(0), sign | at.low, "word 0");
    if (rest > 0) require_equal(code(first_up), sign | (at.low + 1), "the first word that carries");
    if (rest > 0) require_equal(code(kWords - 1), sign | (at.low + 1), "the largest word");
  });
}

TEST_CASE("exact values never move", "[property][spec:5.17][spec:5.19][spec:5.21]") {
  check_property("a code decoded under its scale keeps its code under every word", 3000, [] {
    const auto wanted = e2m1_of(static_cast<uint32_t>(pick_integer("code", 0, 15)));
    const e8m0 scale = e8m0_of(static_cast<uint32_t>(pick_integer("byte", 0, 252)));
    const float v = decode_element(wanted, scale);
    const auto word = static_cast<uint32_t>(pick_word("word"));
    const auto bits = static_cast<int32_t>(pick_integer("bits", 1, 32));
    require_equal(code_of(reference::encode_e2m1_stochastic(v, scale, word >> (32 - bits), bits)), code_of(wanted),
                  "stochastic");
    require_equal(code_of(reference::encode_e2m1_gfx950_sr(v, scale, word)), code_of(wanted), "gfx950_sr");
  });
  check_property("what exceeds 6 becomes 6 of its sign under every word", 1500, [] {
    const uint32_t v = pick_value("v", {.min_exponent = 130});
    discard_unless((v & ~kSign) != 0);
    const auto word = static_cast<uint32_t>(pick_word("word"));
    require_equal(code_of(reference::encode_e2m1_stochastic(float_of(v), kOne, word, 32)), (v >> 31 << 3) | 7u,
                  "stochastic");
    require_equal(code_of(reference::encode_e2m1_gfx950_sr(float_of(v), kOne, word)), (v >> 31 << 3) | 7u, "gfx950_sr");
  });
}

TEST_CASE("a smaller number never rounds less far up", "[property][spec:5.17][spec:5.21]") {
  check_property("codes are monotone in the value and in the word", 3000, [] {
    const grid_place at = pick_below_six();
    const auto one = static_cast<uint32_t>(pick_word("one word")),
               other = static_cast<uint32_t>(pick_word("other word"));
    const uint32_t less = std::min(one, other), more = std::max(one, other);
    const float v = std::fabs(float_of(at.bits)), next = float_of(bits_of(v) + 1);
    const auto stochastic = [](float x, uint32_t u) {
      return code_of(reference::encode_e2m1_stochastic(x, kOne, u, 32));
    };
    const auto gfx950 = [](float x, uint32_t word) { return code_of(reference::encode_e2m1_gfx950_sr(x, kOne, word)); };
    require(stochastic(v, less) >= stochastic(v, more), "stochastic, in the number");
    require(stochastic(v, less) <= stochastic(next, less), "stochastic, in the value");
    require(gfx950(v, less) <= gfx950(v, more), "gfx950_sr, in the word");
    require(gfx950(v, less) <= gfx950(next, less), "gfx950_sr, in the value");
  });
}

TEST_CASE("where random numbers come from", "[property][spec:5.18][spec:5.20]") {
  check_property("u of fewer bits is the top of u of more, and both are the second implementation's", 1500, [] {
    const uint64_t seed = pick_word("seed"), offset = pick_word("offset"), index = pick_word("index") >> 20;
    const auto bits = static_cast<int32_t>(pick_integer("bits", 1, 32));
    const uint32_t all = reference::stochastic_bits(seed, offset + index, 32);
    require_equal(reference::stochastic_bits(seed, offset + index, bits), all >> (32 - bits), "top bits");
    require_equal(all, independent::stochastic_word(32, seed, offset, index), "word");
    const auto inner = static_cast<uint64_t>(pick_integer("inner", 1, 999)), outer = pick_word("outer") >> 40;
    const uint64_t i = static_cast<uint64_t>(pick_integer("pair", 0, 499)) % ((inner + 1) / 2);
    const reference::gfx950_words words = reference::gfx950_sr_words(seed, outer * ((inner + 1) / 2) + i);
    require_equal(words.even, independent::gfx950_word(seed, outer, 2 * i, inner), "word of element 2i");
    require_equal(words.odd, independent::gfx950_word(seed, outer, 2 * i + 1, inner), "word of element 2i + 1");
  });
  check_property("a tensor in parts, each with its offset, gives the bytes of the whole", 900, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.scale = true, .rounding = true});
    p.element_rounding = ADAHOP_ROUND_STOCHASTIC;
    p.sr_bits = std::max(p.sr_bits, 1);
    const tensor x = pick_tensor("x", {.min_rows = 2, .max_rows = 8});
    const auto cut = pick_integer("rows of the first part", 1, x.rows - 1);
    const quantized whole = quantize(b, p, x);
    const quantized again = quantize(b, p, x);
    require_equal(again, whole, "the same call again");
    std::vector<int64_t> head, tail;
    for (int64_t r = 0; r < x.rows; ++r) (r < cut ? head : tail).push_back(r);
    quantized first = quantize(b, p, with_rows(x, head));
    p.sr_offset += static_cast<uint64_t>(cut * x.cols);
    const quantized second = quantize(b, p, with_rows(x, tail));
    first.mx.codes.insert(first.mx.codes.end(), second.mx.codes.begin(), second.mx.codes.end());
    first.mx.scales.insert(first.mx.scales.end(), second.mx.scales.begin(), second.mx.scales.end());
    first.mx.outer = x.rows;
    first.result.clipped += second.result.clipped;
    require_equal(first, whole, "parts");
  });
}

}  // namespace
}  // namespace adahop::property
