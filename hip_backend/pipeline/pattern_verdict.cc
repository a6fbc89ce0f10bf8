// FP64 on the host, where division and square root are IEEE operations. Implements SPEC 7.1-7.3, 7.5-7.7.
#include "pipeline/pattern_verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/two_level_sum.h"

namespace adahop::hip {
namespace {

// NaN for fewer than two values, which have no variance.
double coefficient_of_variation(std::span<const double> s, double eps) {
  if (s.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto length = static_cast<int64_t>(s.size());
  const auto n = static_cast<double>(length);
  const auto element = [s](int64_t i) { return s[static_cast<size_t>(i)]; };
  const double mean = two_level_sum(length, element) / n;
  const double sum_of_squares =
      two_level_sum(length, [&](int64_t i) { return (element(i) - mean) * (element(i) - mean); });
  const double variance = sum_of_squares / (n - 1);
  return std::sqrt(variance) / (mean + eps);
}

// CV over the one that a Gaussian tensor would have with lines of `length` elements.
double normalised(double cv, size_t length) {
  return cv / std::sqrt(2.0 / std::max(static_cast<double>(length) - 1.0, 1.0));
}

double canonical(double v) {
  static_assert(std::numeric_limits<double>::is_iec559);
  return std::isnan(v) ? std::numeric_limits<double>::quiet_NaN() : v;
}

}  // namespace

adahop_pattern_result pattern_verdict(const adahop_policy& p, std::span<const double> row_variance,
                                      std::span<const double> col_variance) {
  const double eps = p.pattern_eps;
  const double cv_row = normalised(coefficient_of_variation(row_variance, eps), col_variance.size());
  const double cv_col = normalised(coefficient_of_variation(col_variance, eps), row_variance.size());
  adahop_pattern pattern = ADAHOP_PATTERN_NONE;
  if (!std::isnan(cv_row) && !std::isnan(cv_col)) {
    if (cv_row / (cv_col + eps) > p.pattern_ratio)
      pattern = ADAHOP_PATTERN_ROW;
    else if (cv_col / (cv_row + eps) > p.pattern_ratio)
      pattern = ADAHOP_PATTERN_COLUMN;
  }
  return {pattern, 0, canonical(cv_row), canonical(cv_col)};
}

}  // namespace adahop::hip
