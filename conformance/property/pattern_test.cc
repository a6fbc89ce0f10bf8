// Laws of the outlier pattern of a tensor: transposition, thresholds, scale, what has no pattern, and the vote over
// steps.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "adahop/layer/calibration.h"
#include "adahop/plan.h"
#include "catch.h"
#include "conformance/independent/pattern.h"
#include "value_calls.h"

namespace adahop::property {
namespace {

uint64_t bits_of_fp64(double v) { return std::bit_cast<uint64_t>(v); }

tensor_choice small() { return {.max_rows = 12, .min_cols = 1, .max_cols = 70, .col_multiple = 1}; }

void require_equal_lists(const std::vector<double>& got, const std::vector<double>& wanted, const std::string& what) {
  require_number(std::ssize(got), std::ssize(wanted), what);
  for (size_t i = 0; i < got.size(); ++i)
    require_equal(bits_of_fp64(got[i]), bits_of_fp64(wanted[i]), fmt::format("{} {}", what, i));
}

// SPEC 7.6 and 7.7 on CVs that are given.
int32_t verdict(double cv_row, double cv_col, const policy& p) {
  if (std::isnan(cv_row) || std::isnan(cv_col)) return ADAHOP_PATTERN_NONE;
  if (cv_row / (cv_col + p.pattern_eps) > p.pattern_ratio) return ADAHOP_PATTERN_ROW;
  if (cv_col / (cv_row + p.pattern_eps) > p.pattern_ratio) return ADAHOP_PATTERN_COLUMN;
  return ADAHOP_PATTERN_NONE;
}

TEST_CASE("statistics are the second implementation's, to the last bit",
          "[property][spec:7.1][spec:7.2][spec:7.3][spec:7.4][spec:7.5][spec:7.6]") {
  check_property("pattern = independent::detect_pattern", 200, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.pattern = true});
    tensor_choice choice = small();
    choice.max_cols = 150;
    choice.nonfinite = pick_integer("nonfinite (3: some)", 0, 3) == 3;
    const tensor x = pick_tensor("x", choice);
    const pattern_report got = pattern(b, p, x);
    const independent::pattern_report wanted =
        independent::detect_pattern(independent_of(x), p.pattern_ratio, p.pattern_eps);
    require_equal_lists(got.row_variance, wanted.row_variance, "row variance");
    require_equal_lists(got.col_variance, wanted.col_variance, "column variance");
    require_equal(bits_of_fp64(got.cv_row), bits_of_fp64(wanted.cv_row), "cv_row");
    require_equal(bits_of_fp64(got.cv_col), bits_of_fp64(wanted.cv_col), "cv_col");
    const int32_t pattern = wanted.verdict == independent::pattern::row      ? ADAHOP_PATTERN_ROW
                            : wanted.verdict == independent::pattern::column ? ADAHOP_PATTERN_COLUMN
                                                                             : ADAHOP_PATTERN_NONE;
    require_number(got.pattern, pattern, "verdict");
  });
}

TEST_CASE("transposing swaps rows and columns", "[property][spec:7.4][spec:7.5][spec:8.2]") {
  check_property("the transpose has the other variances, CVs and pattern", 600, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.pattern = true});
    const tensor x = pick_tensor("x", small());
    const pattern_report one = pattern(b, p, x), other = pattern(b, p, transpose(x));
    require_equal_lists(other.row_variance, one.col_variance, "row variance of the transpose");
    require_equal_lists(other.col_variance, one.row_variance, "column variance of the transpose");
    require_equal(bits_of_fp64(other.cv_row), bits_of_fp64(one.cv_col), "cv_row of the transpose");
    require_equal(bits_of_fp64(other.cv_col), bits_of_fp64(one.cv_row), "cv_col of the transpose");
    // Ratios are 1 or more here, so that not both tests of SPEC 7.6 can hold.
    require_number(other.pattern, opposite(static_cast<adahop_pattern>(one.pattern)), "pattern of the transpose");
  });
}

TEST_CASE("the verdict turns exactly at the ratio", "[property][spec:7.6][spec:7.7]") {
  check_property("the verdict is that of the CVs; at a ratio equal to the quotient it is not yet given", 600, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.pattern = true});
    const tensor x = pick_tensor("x", small());
    const pattern_report at = pattern(b, p, x);
    require_number(at.pattern, verdict(at.cv_row, at.cv_col, p), "verdict");
    for (const bool rows : {true, false}) {
      const double quotient = rows ? at.cv_row / (at.cv_col + p.pattern_eps) : at.cv_col / (at.cv_row + p.pattern_eps);
      if (!(quotient > 1) || quotient > 1e300) continue;  // a smaller ratio would let both tests hold
      const int32_t wanted = rows ? ADAHOP_PATTERN_ROW : ADAHOP_PATTERN_COLUMN;
      p.pattern_ratio = quotient;
      require_number(pattern(b, p, x).pattern, ADAHOP_PATTERN_NONE, "verdict at the ratio");
      p.pattern_ratio = std::nextafter(quotient, 0.0);
      require_number(pattern(b, p, x).pattern, wanted, "verdict just below it");
    }
  });
}

TEST_CASE("without eps, scale does not matter; with it, it does", "[property][spec:7.5][spec:7.6][spec:7.8]") {
  check_property("eps = 0: a power of two leaves both CVs and the verdict", 600, [] {
    const adahop_backend& b = pick_backend();
    policy p = pick_policy("policy", {.pattern = true});
    p.pattern_eps = 0;
    tensor_choice choice = small();
    choice.min_exponent = 60;
    choice.max_exponent = 190;
    const tensor x = pick_tensor("x", choice);
    const auto n = static_cast<int>(pick_integer("n + 50", 0, 100)) - 50;
    const pattern_report plain = pattern(b, p, x), scaled = pattern(b, p, times_power_of_two(x, n));
    require_equal(bits_of_fp64(scaled.cv_row), bits_of_fp64(plain.cv_row), "cv_row");
    require_equal(bits_of_fp64(scaled.cv_col), bits_of_fp64(plain.cv_col), "cv_col");
    require_number(scaled.pattern, plain.pattern, "verdict");
  });
  check_property("eps > 0: a tensor that is small enough has no pattern", 400, [] {
    const adahop_backend& b = pick_backend();
    policy p = default_policy();
    // |v| < 2^-56, so variances are below 2^-110 and both CVs below 2^-70: far from eps times the ratio.
    const tensor x =
        pick_tensor("x", {.max_rows = 12, .min_cols = 1, .max_cols = 70, .col_multiple = 1, .max_exponent = 70});
    require_number(pattern(b, p, x).pattern, ADAHOP_PATTERN_NONE, "verdict");
  });
}

TEST_CASE("rows keep their variances in any order, and nothing has a pattern with a NaN or one line",
          "[property][spec:7.3][spec:7.4][spec:7.7]") {
  check_property("permuting rows permutes the row variances bit for bit", 400, [] {
    const adahop_backend& b = pick_backend();
    const tensor x = pick_tensor("x", small());
    const std::vector<int64_t> order = pick_permutation("rows", x.rows);
    const pattern_report plain = pattern(b, default_policy(), x),
                         moved = pattern(b, default_policy(), with_rows(x, order));
    std::vector<double> wanted;
    for (const int64_t r : order) wanted.push_back(plain.row_variance[static_cast<size_t>(r)]);
    require_equal_lists(moved.row_variance, wanted, "row variance");
  });
  check_property("a NaN or an Inf anywhere, or one row or column: none", 400, [] {
    const adahop_backend& b = pick_backend();
    const policy p = pick_policy("policy", {.pattern = true});
    tensor x = pick_tensor("x", small());
    const bool one_line = pick_integer("one line", 0, 1) == 1;
    if (one_line) {
      x = with_rows(x, {0});
      if (pick_integer("column", 0, 1) == 1) x = transpose(x);
    } else {
      x.bits[static_cast<size_t>(pick_integer("where", 0, x.rows * x.cols - 1))] =
          static_cast<uint32_t>(pick_of("what", {0x7FC00000, 0x7F800000}));
    }
    require_number(pattern(b, p, x).pattern, ADAHOP_PATTERN_NONE, "verdict");
  });
}

TEST_CASE("the majority of the steps, a tie to the one seen first", "[property][spec:12.9]") {
  check_property(
      "no pattern has more steps, and of as many none comes first; one more step turns to itself alone", 1000, [] {
        std::vector<layer::step_statistics> steps;
        const int64_t n = pick_integer("steps", 1, 12);
        for (int64_t i = 0; i < n; ++i) {
          const int32_t verdict = pick_of("verdict", {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN});
          steps.push_back({static_cast<adahop_pattern>(verdict), 0, 0});
        }
        const auto steps_of = [&](adahop_pattern p) {
          return std::count_if(steps.begin(), steps.end(),
                               [&](const layer::step_statistics& s) { return s.verdict == p; });
        };
        const auto first_of = [&](adahop_pattern p) {
          return std::find_if(steps.begin(), steps.end(),
                              [&](const layer::step_statistics& s) { return s.verdict == p; });
        };
        const adahop_pattern chosen = layer::majority(steps);
        for (const adahop_pattern other : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}) {
          require(steps_of(other) <= steps_of(chosen),
                  fmt::format("{} has more steps than {}", name(other), name(chosen)));
          if (steps_of(other) == steps_of(chosen))
            require(first_of(chosen) <= first_of(other), fmt::format("{} comes before {}", name(other), name(chosen)));
        }
        // Said twice, the same.
        std::vector<layer::step_statistics> twice = steps;
        twice.insert(twice.end(), steps.begin(), steps.end());
        require_number(layer::majority(twice), chosen, "verdict of the steps twice");
        const auto more = static_cast<adahop_pattern>(
            pick_of("one more", {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}));
        steps.push_back({more, 0, 0});
        const adahop_pattern now = layer::majority(steps);
        require(now == chosen || now == more, "one more step turned the verdict to a third pattern");
      });
}

}  // namespace
}  // namespace adahop::property
