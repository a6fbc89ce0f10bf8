// The verdict of a calibration and the bytes of what a layer saves, counted twice.
#include <algorithm>

#include "adahop/layer/calibration.h"
#include "adahop/layer/product.h"
#include "catch.h"
#include "independent/calibration.h"
#include "independent_models_support.h"

using namespace adahop_test;

TEST_CASE("the majority of every sequence of up to seven verdicts, and of long random ones",
          "[independent][spec:12.9]") {
  constexpr adahop_pattern kVerdicts[] = {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN};
  int wrong = 0;
  const auto check = [&wrong](const std::vector<adahop_pattern>& verdicts) {
    std::vector<adahop::layer::step_statistics> steps;
    std::vector<independent::pattern> votes;
    for (const adahop_pattern v : verdicts) {
      steps.push_back({v, 1.0, 1.0});
      votes.push_back(pattern_of(v));
    }
    if (pattern_of(adahop::layer::majority(steps)) != independent::majority(votes)) ++wrong;
  };
  int count = 1;
  for (int length = 1; length <= 7; ++length) {
    count *= 3;
    for (int n = 0; n < count; ++n) {
      std::vector<adahop_pattern> verdicts;
      for (int i = 0, digits = n; i < length; ++i, digits /= 3) verdicts.push_back(kVerdicts[digits % 3]);
      check(verdicts);
    }
  }
  source random(110);
  for (int round = 0; round < 500; ++round) {
    std::vector<adahop_pattern> verdicts;
    for (int i = 0; i < 30; ++i) verdicts.push_back(kVerdicts[random.between(0, 2)]);
    check(verdicts);
  }
  CHECK(wrong == 0);
}

TEST_CASE("saved bytes of every kind of product and many shapes", "[independent][spec:11.9][spec:11.11][spec:3.7]") {
  using adahop::layer::product_kind;
  for (const char* const settings : {"pad=error", "pad=zero", "pad=zero,hadamard_size=128"})
    for (const long rows : {1L, 7L, 64L, 65L, 4096L})
      for (const long cols : {32L, 64L, 160L, 4096L, 33L, 100L})
        for (const int k : {1, 3, 64}) {
          adahop_policy policy = policy_with(settings);
          policy.oe_k = k;
          if (cols % 32 != 0 && policy.pad == ADAHOP_PAD_ERROR) continue;
          for (const product_kind kind : adahop::layer::kAllKinds) {
            independent::saved_parts parts;
            if (kind != product_kind::bf16) parts.quantized_cols = extended(cols, policy.hadamard_size);
            if (kind == product_kind::oe_right) parts.outlier_rows = std::min<long>(k, rows);
            parts.whole_bf16 = kind == product_kind::bf16 || kind == product_kind::oe_left;
            CAPTURE(settings, rows, cols, k, adahop::layer::name(kind));
            CHECK(adahop::layer::bytes_of(policy, kind, rows, cols).total() ==
                  independent::saved_bytes(rows, cols, parts));
          }
        }
}
