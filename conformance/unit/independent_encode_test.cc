// The encoder against nearest-value search in exact rationals: 2^24 FP32 patterns through tables made by bisection of
// that search, 2^17 through the search itself, and on demand all 2^32 patterns.
#include <algorithm>
#include <array>
#include <bit>

#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"
#include "reference/encode.h"
#include "repetitions.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

/// What one scale byte does to every FP32 magnitude.
struct encode_table {
  std::array<uint32_t, 7> thresholds;
  uint32_t six;  ///< pattern of 6 * scale, Inf if there is none

  explicit encode_table(uint8_t byte)
      : thresholds(independent::code_thresholds(byte)),
        six(independent::round_to_fp32(independent::rational(6) * independent::value_of_scale(byte))) {}

  uint32_t code(uint32_t bits) const {
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    uint32_t code = 0;
    for (const uint32_t threshold : thresholds) code += magnitude >= threshold ? 1u : 0u;
    return code | (bits >> 31) << 3;
  }
  bool clips(uint32_t bits) const { return (bits & 0x7FFFFFFFu) > six; }
};

const std::vector<encode_table>& encode_tables() {
  static const std::vector<encode_table> tables = [] {
    std::vector<encode_table> all;
    for (int byte = 0; byte < 255; ++byte) all.emplace_back(static_cast<uint8_t>(byte));
    return all;
  }();
  return tables;
}

/// The scale byte of every amax under one rule: within an exponent field it steps at most once, at mantissa `step`.
class scale_table {
 public:
  explicit scale_table(adahop_scale_rule rule) {
    for (uint32_t field = 0; field < 255; ++field) {
      const auto byte = [&](uint32_t mantissa) {
        return independent::scale_for((field << 23) | mantissa, rule_of(rule), 0);
      };
      uint32_t low = 0, high = 0x800000;  // byte(low) is the first; high is past the step
      while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        (byte(middle) == byte(0) ? low : high) = middle;
      }
      entries_[field] = {byte(0), byte(0x7FFFFF), high};
    }
  }
  uint8_t byte(uint32_t amax_bits) const {
    const entry& e = entries_[(amax_bits >> 23) & 0xFFu];
    return (amax_bits & 0x7FFFFFu) < e.step ? e.below : e.from;
  }

 private:
  struct entry {
    uint8_t below, from;
    uint32_t step;
  };
  std::array<entry, 255> entries_;
};

const scale_table& scale_table_of(adahop_scale_rule rule) {
  static const std::array<scale_table, 4> tables{scale_table(kScaleRules[0]), scale_table(kScaleRules[1]),
                                                 scale_table(kScaleRules[2]), scale_table(kScaleRules[3])};
  return tables[static_cast<size_t>(rule)];
}

struct encode_mismatches {
  int64_t count = 0;
  uint32_t bits = 0, byte = 0, got = 0, expected = 0;  ///< the first one

  void compare(uint32_t pattern, uint8_t scale) {
    const float v = std::bit_cast<float>(pattern);
    const encode_table& table = encode_tables()[scale];
    const uint32_t code = adahop::code_of(adahop::reference::encode_e2m1(v, adahop::e8m0_of(scale)));
    const bool clipped = adahop::reference::clips(v, adahop::e8m0_of(scale));
    if (code == table.code(pattern) && clipped == table.clips(pattern)) return;
    if (count++ == 0) {
      bits = pattern;
      byte = scale;
      got = code;
      expected = table.code(pattern);
    }
  }
};

void report(const encode_mismatches& wrong) {
  CAPTURE(wrong.bits, wrong.byte, wrong.got, wrong.expected);
  CHECK(wrong.count == 0);
}

/// A mantissa near the edges where codes and scales change, or anywhere.
uint32_t edgy_mantissa(source& random) {
  const uint32_t draw = random.bits();
  if (draw % 4 != 0) return draw >> 9;
  const uint32_t edge = ((draw >> 2) & 15u) << 19;
  return (edge + ((draw >> 8) & 7u) - 3u) & 0x7FFFFFu;
}

}  // namespace

TEST_CASE("2^24 patterns of every exponent encode to the nearest code, all four rules",
          "[independent][spec:5.8][spec:5.9][spec:5.11][spec:5.12][spec:5.13]") {
  source random(7);
  encode_mismatches wrong;
  for (uint32_t i = 0; i < (1u << 24) / adahop::test::kReduction; ++i) {
    const uint32_t field = i % 255;
    const uint32_t bits = (field << 23) | edgy_mantissa(random) | (random.bits() & 0x80000000u);
    for (const adahop_scale_rule rule : kScaleRules) wrong.compare(bits, scale_table_of(rule).byte(bits));
    // As a smaller neighbour of the block's largest, and now and then above a scale that came from outside.
    const int byte = static_cast<int>(field) - 3 + static_cast<int>(random.bits() % 10);
    wrong.compare(bits, static_cast<uint8_t>(std::clamp(byte, 0, 254)));
  }
  report(wrong);
}

TEST_CASE("2^17 patterns encode as direct search says", "[independent][spec:5.11][spec:5.12]") {
  source random(8);
  int64_t wrong = 0;
  for (uint32_t i = 0; i < 1u << 17; ++i) {
    const uint32_t field = i % 255;
    const uint32_t bits = (field << 23) | edgy_mantissa(random) | (random.bits() & 0x80000000u);
    const uint8_t byte = static_cast<uint8_t>(std::clamp(static_cast<int>(field) - 3 + random.between(0, 6), 0, 254));
    const float v = std::bit_cast<float>(bits);
    const uint32_t code = adahop::code_of(adahop::reference::encode_e2m1(v, adahop::e8m0_of(byte)));
    if (code != independent::nearest_code(bits, byte)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("2^22 elements through the C ABI quantize to the nearest codes, all four rules",
          "[independent][spec:5.1][spec:5.9][spec:5.11]") {
  constexpr int64_t kRows = adahop::test::repetitions(512), kCols = 8192;
  source random(9);
  for (const adahop_scale_rule rule : kScaleRules) {
    adahop::matrix<float> x(kRows, kCols);
    adahop::mx_matrix expected(kRows, kCols);
    int64_t clipped = 0;
    for (int64_t block = 0; block < kRows * kCols / 32; ++block) {
      const int largest = static_cast<int>(block % 255);
      float* values = &x.data[static_cast<size_t>(block * 32)];
      uint32_t amax = 0;
      for (int i = 0; i < 32; ++i) {
        const uint32_t field = static_cast<uint32_t>(std::max(0, largest - static_cast<int>(random.bits() % 6)));
        const uint32_t bits = (field << 23) | edgy_mantissa(random) | (random.bits() & 0x80000000u);
        values[i] = std::bit_cast<float>(bits);
        amax = std::max(amax, bits & 0x7FFFFFFFu);
      }
      const uint8_t byte = scale_table_of(rule).byte(amax);
      const encode_table& table = encode_tables()[byte];
      expected.scales[static_cast<size_t>(block)] = byte;
      for (int i = 0; i < 32; ++i) {
        const uint32_t bits = std::bit_cast<uint32_t>(values[i]);
        if (table.clips(bits)) ++clipped;
        uint8_t& packed_pair = expected.codes[static_cast<size_t>(block * 16 + i / 2)];
        packed_pair = static_cast<uint8_t>(packed_pair | table.code(bits) << (4 * (i % 2)));
      }
    }
    adahop_policy policy = adahop::default_policy();
    policy.scale_rule = rule;
    const quantize_call call = quantize(reference(), policy, adahop::view_of(x));
    CAPTURE(rule);
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.mx.scales, expected.scales) == "");
    CHECK(difference(call.mx.codes, expected.codes) == "");
    CHECK(call.result.clipped == clipped);
  }
}

TEST_CASE("all 2^32 patterns encode to the nearest code", "[.exhaustive][spec:5.11][spec:5.12][spec:5.13]") {
  for (const uint8_t byte : {uint8_t{127}, uint8_t{0}}) {
    encode_mismatches wrong;
    for (uint64_t bits = 0; bits < uint64_t{1} << 32; ++bits)
      if ((bits & 0x7F800000u) != 0x7F800000u) wrong.compare(static_cast<uint32_t>(bits), byte);
    report(wrong);
  }
}
