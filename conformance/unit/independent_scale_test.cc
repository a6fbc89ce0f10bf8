// Scale bytes and whole quantized blocks against the meaning of the four rules in exact rationals.
#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"
#include "reference/scale.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

constexpr uint32_t kMantissas[] = {0,        1,        0x1FFFFF, 0x200000, 0x200001, 0x3FFFFF, 0x400000,
                                   0x400001, 0x5FFFFF, 0x600000, 0x600001, 0x7FFFFF};

}  // namespace

TEST_CASE("scale bytes mean what their rules say, every exponent and every edge of the mantissa",
          "[independent][spec:5.2][spec:5.3][spec:5.4][spec:5.5][spec:5.6][spec:5.7]") {
  source random(4);
  int64_t checked = 0;
  for (const adahop_scale_rule rule : kScaleRules)
    for (const int min_byte : {0, 1}) {
      std::vector<uint32_t> got, expected;
      for (uint32_t exponent = 0; exponent < 255; ++exponent) {
        std::vector<uint32_t> mantissas(std::begin(kMantissas), std::end(kMantissas));
        for (int i = 0; i < 12; ++i) mantissas.push_back(random.bits() & 0x7FFFFFu);
        for (const uint32_t mantissa : mantissas) {
          const uint32_t amax = (exponent << 23) | mantissa;
          got.push_back(adahop::reference::scale_byte(amax, rule, min_byte));
          expected.push_back(independent::scale_for(amax, rule_of(rule), min_byte));
        }
      }
      CAPTURE(rule, min_byte);
      CHECK(difference(got, expected) == "");
      checked += static_cast<int64_t>(got.size());
    }
  CHECK(checked == 4 * 2 * 255 * 24);
}

TEST_CASE("rceil never clips and no larger scale byte than needed is chosen", "[independent][spec:5.5][spec:5.9]") {
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (const uint32_t mantissa : kMantissas) {
      const uint32_t amax = (exponent << 23) | mantissa;
      const uint8_t byte = adahop::reference::scale_byte(amax, ADAHOP_SCALE_RCEIL, 0);
      CAPTURE(amax, int{byte});
      CHECK(independent::rational(6) * independent::value_of_scale(byte) >= independent::value_of(amax));
      if (byte > 0) {
        const independent::rational smaller = independent::value_of_scale(static_cast<uint8_t>(byte - 1));
        CHECK(independent::rational(6) * smaller < independent::value_of(amax));
      }
    }
}

TEST_CASE("quantized matrices equal the independent ones",
          "[independent][spec:3.1][spec:3.2][spec:3.3][spec:5.1][spec:5.8][spec:5.9][spec:5.13][spec:5.14]") {
  source random(5);
  for (const adahop_scale_rule rule : kScaleRules)
    for (const int min_byte : {0, 1})
      for (const content kind : kAllContents)
        for (const bool bf16_input : {false, true}) {
          adahop_policy policy = adahop::default_policy();
          policy.scale_rule = rule;
          policy.min_scale_byte = min_byte;
          const independent::fp32_matrix x = make(random, 9, 96, kind, bf16_input);
          const independent::mx_tensor expected = independent::quantize(x, rule_of(rule), min_byte);
          const adahop::matrix<float> floats = to_floats(x);
          const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
          const adahop_view view = bf16_input ? adahop::view_of(bf16s) : adahop::view_of(floats);
          const quantize_call call = quantize(reference(), policy, view);
          CAPTURE(rule, min_byte, name(kind), bf16_input);
          REQUIRE(call.status == ADAHOP_OK);
          CHECK(difference(call.mx.codes, packed(expected).codes) == "");
          CHECK(difference(call.mx.scales, expected.scales) == "");
          CHECK(call.result.clipped == expected.clipped);
          CHECK(call.result.first_nonfinite == independent::first_nonfinite(x));

          // The same elements held column by column: a transposed view gives the same result (SPEC 3.3).
          adahop::matrix<float> columns(x.cols, x.rows);
          for (int64_t r = 0; r < x.rows; ++r)
            for (int64_t c = 0; c < x.cols; ++c) columns.at(c, r) = floats.at(r, c);
          const quantize_call turned = quantize(reference(), policy, adahop::transposed(adahop::view_of(columns)));
          REQUIRE(turned.status == ADAHOP_OK);
          CHECK(difference(turned.mx.codes, call.mx.codes) == "");
          CHECK(difference(turned.mx.scales, call.mx.scales) == "");
        }
}

TEST_CASE("reject names the first NaN or Inf in stored order", "[independent][spec:5.15]") {
  source random(6);
  adahop_policy policy = adahop::default_policy();
  policy.nonfinite = ADAHOP_NONFINITE_REJECT;
  for (int round = 0; round < 50; ++round) {
    const independent::fp32_matrix x = make(random, 5, 64, round < 25 ? content::nonfinite : content::unit, false);
    const long first = independent::first_nonfinite(x);
    const adahop::matrix<float> floats = to_floats(x);
    const quantize_call call = quantize(reference(), policy, adahop::view_of(floats));
    CAPTURE(round, first);
    CHECK(call.status == (first < 0 ? ADAHOP_OK : ADAHOP_NONFINITE));
    CHECK(call.result.first_nonfinite == first);
  }
}
