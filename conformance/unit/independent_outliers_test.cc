// Outlier scores and the choice of the outliers against exact-then-rounded arithmetic, ties and NaN included.
#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

void check_selection(const independent::fp32_matrix& x, int oe_k, int window, bool bf16_input) {
  adahop_policy policy = adahop::default_policy();
  policy.oe_k = oe_k;
  policy.foid_window = window;
  const adahop::matrix<float> floats = to_floats(x);
  const adahop::matrix<adahop::bf16> bf16s = to_bf16s(x);
  const outliers_call call =
      select_outliers(reference(), policy, bf16_input ? adahop::view_of(bf16s) : adahop::view_of(floats));
  REQUIRE(call.status == ADAHOP_OK);
  const std::vector<uint32_t> scores = independent::outlier_scores(x, window);
  CHECK(difference(call.scores, scores) == "");
  const std::vector<int> chosen = independent::choose_outliers(scores, oe_k);
  CHECK(call.indices == std::vector<int32_t>(chosen.begin(), chosen.end()));
}

}  // namespace

TEST_CASE("scores and chosen rows equal the independent ones",
          "[independent][spec:9.1][spec:9.2][spec:9.3][spec:9.4][spec:9.5]") {
  source random(26);
  for (const content kind : kAllContents)
    for (const int length : {32, 64, 96})
      for (const int window : {32, 64})
        for (const int k : {1, 4, 23, 64}) {
          const bool bf16_input = k % 2 == 0;
          CAPTURE(name(kind), length, window, k);
          check_selection(make(random, 23, length, kind, bf16_input), k, window, bf16_input);
        }
}

TEST_CASE("ties go to the lower index and NaN comes first", "[independent][spec:9.4][spec:9.5]") {
  source random(27);
  for (int round = 0; round < 40; ++round) {
    // Rows drawn from few templates, so that many scores are equal; some rows overflow to Inf, some hold a NaN.
    independent::fp32_matrix x(50, 64);
    for (int r = 0; r < x.rows; ++r) {
      const int kind = random.between(0, 5);
      for (int c = 0; c < x.cols; ++c) {
        const uint32_t sign = c % 2 == 0 ? 0u : 0x80000000u;
        const uint32_t power = 0x3F800000u + (static_cast<uint32_t>(kind) << 23);
        const uint32_t value = kind == 0 ? 0u : kind == 4 ? 0x7F000000u : power;
        x.at(r, c) = value | sign;
      }
      if (kind == 5) x.at(r, random.between(0, 63)) = random.between(0, 1) != 0 ? 0x7FC00000u : 0x7F800000u;
    }
    CAPTURE(round);
    check_selection(x, random.between(1, 50), 64, true);
  }
}

TEST_CASE("what lies behind the window does not count", "[independent][spec:9.1]") {
  source random(28);
  independent::fp32_matrix x = make(random, 12, 128, content::unit, true);
  const std::vector<uint32_t> before = independent::outlier_scores(x, 64);
  for (int r = 0; r < x.rows; ++r)
    for (int c = 64; c < x.cols; ++c) x.at(r, c) = 0x7FC00000u;
  CHECK(difference(independent::outlier_scores(x, 64), before) == "");
  check_selection(x, 5, 64, true);
}
