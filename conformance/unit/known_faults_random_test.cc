// Known faults in stochastic rounding: F17, and the random words of F20.
#include <algorithm>
#include <bit>
#include <string>

#include "catch.h"
#include "known_faults_capabilities.h"

using namespace adahop_test;

namespace {

constexpr int kRows = 33;

/// Blocks of a 4, which makes byte 127 under floor, and 31 times `value`.
independent::fp32_matrix blocks_of_value(float value) {
  independent::fp32_matrix x(kRows, 32);
  for (size_t i = 0; i < x.bits.size(); ++i) x.bits[i] = std::bit_cast<uint32_t>(i % 32 == 0 ? 4.0f : value);
  return x;
}

adahop_policy rounding_policy(const std::string& rounding) {
  return policy_with("scale_rule=floor,element_rounding=" + rounding);
}

std::vector<uint8_t> codes_of(const adahop_backend& backend, const std::string& rounding,
                              const independent::fp32_matrix& x) {
  const adahop::matrix<float> floats = to_floats(x);
  const quantize_call call = quantize(backend, rounding_policy(rounding), adahop::view_of(floats));
  REQUIRE(call.status == ADAHOP_OK);
  std::vector<uint8_t> codes;
  for (const uint8_t byte : call.mx.codes) codes.push_back(byte & 15u), codes.push_back(byte >> 4);
  return codes;
}

/// How many of the elements beside the fours have this code.
int64_t count_of(const std::vector<uint8_t>& codes, uint8_t code) {
  return std::count(codes.begin(), codes.end(), code);
}

}  // namespace

TEST_CASE("F17: random rounding that a backend does not claim is a hard error, never another rounding",
          "[known_fault][spec:1.7][spec:13.1]") {
  source random(120);
  const independent::fp32_matrix x = make(random, 4, 64, content::unit, true);
  const adahop::matrix<adahop::bf16> values = to_bf16s(x);
  const adahop_view view = adahop::view_of(values);
  for_each_backend([&](const adahop_backend& backend) {
    for (const char* const rounding : {"stochastic(8,1,0)", "gfx950_sr(1)"}) {
      const adahop_policy policy = rounding_policy(rounding);
      CAPTURE(rounding);
      const int32_t expected = claims(backend, policy) ? ADAHOP_OK : ADAHOP_UNSUPPORTED;
      CHECK(quantize(backend, policy, view).status == expected);
      if (expected != ADAHOP_OK) check_refused(backend, expected, "element_rounding");
      CHECK(hadamard_quantize(backend, policy, view, {}).status == expected);
      for (const adahop_pattern left : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW})
        CHECK(matmul(backend, policy, 1, left, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD, view, view).status ==
              expected);
    }
  });
}

TEST_CASE("F17: 1.25 becomes 1 or 1.5, both of them, the same for the same seed and offset, else different",
          "[known_fault][spec:5.17][spec:5.18][spec:5.20][spec:5.21]") {
  for_each_backend([](const adahop_backend& backend) {
    if (!claims(backend, rounding_policy("stochastic(8,1,0)"))) return;
    for (const float sign : {1.0f, -1.0f}) {
      const independent::fp32_matrix x = blocks_of_value(1.25f * sign);
      const uint8_t low = sign > 0 ? 2 : 10, high = sign > 0 ? 3 : 11;
      for (const char* const rounding :
           {"stochastic(1,1,0)", "stochastic(8,1,0)", "stochastic(32,1,0)", "gfx950_sr(1)"}) {
        const std::vector<uint8_t> codes = codes_of(backend, rounding, x);
        CAPTURE(rounding, sign);
        CHECK(count_of(codes, low) + count_of(codes, high) == 31 * kRows);
        CHECK(count_of(codes, low) > 400);
        CHECK(count_of(codes, high) > 400);
        CHECK(codes == codes_of(backend, rounding, x));
      }
      const std::vector<uint8_t> first = codes_of(backend, "stochastic(8,1,0)", x);
      CHECK(first != codes_of(backend, "stochastic(8,2,0)", x));
      CHECK(first != codes_of(backend, "stochastic(8,1,1)", x));
      CHECK(first != codes_of(backend, "stochastic(8,4294967297,0)", x));  // the seed's high word counts
      CHECK(first != codes_of(backend, "stochastic(8,1,4294967296)", x));
      CHECK(codes_of(backend, "gfx950_sr(1)", x) != codes_of(backend, "gfx950_sr(2)", x));
      CHECK(codes_of(backend, "gfx950_sr(1)", x) != codes_of(backend, "gfx950_sr(4294967297)", x));
      // An offset of one row moves every row's words to the row above.
      const std::vector<uint8_t> moved = codes_of(backend, "stochastic(8,1,32)", x);
      CHECK(std::equal(moved.begin(), moved.end() - 32, first.begin() + 32));
    }
  });
}

TEST_CASE("F17: values of the grid are exact for every random word", "[known_fault][spec:5.19][spec:5.21]") {
  for_each_backend([](const adahop_backend& backend) {
    if (!claims(backend, rounding_policy("stochastic(8,1,0)"))) return;
    for (const char* const kind : {"stochastic(8,", "stochastic(32,", "gfx950_sr("})
      for (int seed = 0; seed < 20; ++seed)
        for (uint8_t code = 0; code < 16; ++code) {
          const float value = std::bit_cast<float>(independent::decode_fp32(code, 127));
          const std::string rounding =
              kind + std::to_string(seed) + (std::string(kind) == "gfx950_sr(" ? ")" : ",0)");
          const std::vector<uint8_t> codes = codes_of(backend, rounding, blocks_of_value(value));
          // A block whose largest value is 4 or 6 has byte 127; code 6 is the four's own.
          CAPTURE(rounding, int{code});
          REQUIRE(count_of(codes, code) == (code == 6 ? 32 : 31) * kRows);
        }
  });
}

TEST_CASE("F20: the two elements of a pair get different words, the second one advanced",
          "[known_fault][spec:5.20][spec:5.21]") {
  source random(121);
  for_each_backend([&](const adahop_backend& backend) {
    if (!claims(backend, rounding_policy("gfx950_sr(1)"))) return;
    const std::vector<uint8_t> codes = codes_of(backend, "gfx950_sr(5)", blocks_of_value(1.25f));
    int64_t unequal = 0;
    for (size_t i = 2; i < codes.size(); i += 2) unequal += i % 32 != 0 && codes[i] != codes[i + 1] ? 1 : 0;
    CHECK(unequal > 100);
    for (const content kind : kFiniteContents) {
      const independent::fp32_matrix x = make(random, 9, 96, kind, false);
      const adahop::matrix<float> floats = to_floats(x);
      const adahop_policy policy = rounding_policy("gfx950_sr(77)");
      const quantize_call call = quantize(backend, policy, adahop::view_of(floats));
      CAPTURE(name(kind));
      REQUIRE(call.status == ADAHOP_OK);
      CHECK(difference(call.mx.codes, packed_codes(independent::quantize(x, independent::scale_rule::floor, 0,
                                                                         rounding_of(policy), x.cols))) == "");
    }
  });
}
