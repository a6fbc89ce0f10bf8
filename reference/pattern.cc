// Outlier pattern of a tensor. All arithmetic is FP64, each operation rounded by itself. Implements SPEC chapter 7.
#include "reference/pattern.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

constexpr int64_t kChunk = 64;

// Chunks of 64 summed in order, then the chunk sums in order, both from +0 (SPEC 7.1).
template <class Term>
double two_level_sum(int64_t n, const Term& term) {
  double total = 0;
  for (int64_t first = 0; first < n; first += kChunk) {
    double chunk = 0;
    for (int64_t i = first; i < std::min(first + kChunk, n); ++i) chunk += term(i);
    total += chunk;
  }
  return total;
}

struct moments {
  double mean, variance;
};

template <class Value>
moments moments_of(int64_t n, const Value& value) {
  const double count = static_cast<double>(n);
  const double mean = two_level_sum(n, value) / count;
  if (n < 2) return {mean, std::numeric_limits<double>::quiet_NaN()};
  const double squares = two_level_sum(n, [&](int64_t i) {
    const double d = value(i) - mean;
    return d * d;
  });
  return {mean, squares / (count - 1)};
}

// CV of SPEC 7.5 over n variances of lines with `length` elements each.
double normalised_cv(const std::vector<double>& s, int64_t length, double eps) {
  const moments m = moments_of(static_cast<int64_t>(s.size()), [&](int64_t i) { return s[static_cast<size_t>(i)]; });
  const double cv = std::sqrt(m.variance) / (m.mean + eps);
  // A variance over n samples of a normal distribution has itself a CV of sqrt(2 / (n - 1)).
  const double expected = std::sqrt(2.0 / static_cast<double>(std::max<int64_t>(length - 1, 1)));
  return canonical(cv / expected);
}

}  // namespace

line_variances variances(const adahop_view& x) {
  line_variances v{std::vector<double>(static_cast<size_t>(x.rows)), std::vector<double>(static_cast<size_t>(x.cols))};
  for_each_index(x.rows, 2 * x.cols, [&](int64_t r) {
    const moments m = moments_of(x.cols, [&](int64_t c) { return static_cast<double>(load(x, r, c)); });
    v.rows[static_cast<size_t>(r)] = canonical(m.variance);
  });
  for_each_index(x.cols, 2 * x.rows, [&](int64_t c) {
    const moments m = moments_of(x.rows, [&](int64_t r) { return static_cast<double>(load(x, r, c)); });
    v.cols[static_cast<size_t>(c)] = canonical(m.variance);
  });
  return v;
}

adahop_pattern_result classify(const policy& p, const line_variances& v) {
  const default_fp_environment environment;
  const double eps = p.pattern_eps;
  adahop_pattern_result result{};
  result.pattern = ADAHOP_PATTERN_NONE;
  result.cv_row = normalised_cv(v.rows, static_cast<int64_t>(v.cols.size()), eps);
  result.cv_col = normalised_cv(v.cols, static_cast<int64_t>(v.rows.size()), eps);
  // A NaN in either makes both comparisons false (SPEC 7.7).
  if (result.cv_row / (result.cv_col + eps) > p.pattern_ratio)
    result.pattern = ADAHOP_PATTERN_ROW;
  else if (result.cv_col / (result.cv_row + eps) > p.pattern_ratio)
    result.pattern = ADAHOP_PATTERN_COLUMN;
  return result;
}

}  // namespace adahop::reference
