// The outlier pattern of a tensor. Implements SPEC chapter 7.
#include "pattern.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "binary64.h"

namespace independent {
namespace {

constexpr size_t kChunk = 64;

binary64 two_level_sum(const std::vector<binary64>& v) {
  binary64 total(0.0);
  for (size_t start = 0; start < v.size(); start += kChunk) {
    binary64 chunk(0.0);
    for (size_t i = start; i < std::min(start + kChunk, v.size()); ++i) chunk = chunk + v[i];
    total = total + chunk;
  }
  return total;
}

binary64 mean_of(const std::vector<binary64>& v) { return two_level_sum(v) / binary64(static_cast<double>(v.size())); }

binary64 variance_of(const std::vector<binary64>& v) {
  if (v.size() == 1) return std::numeric_limits<double>::quiet_NaN();
  const binary64 mean = mean_of(v);
  std::vector<binary64> squares;
  for (const binary64& x : v) {
    const binary64 deviation = x - mean;
    squares.push_back(deviation * deviation);
  }
  return two_level_sum(squares) / binary64(static_cast<double>(v.size() - 1));
}

/// CV of the variances of vectors of `length` elements, over the one expected of Gaussians.
binary64 normalised_cv(const std::vector<binary64>& variances, int length, double eps) {
  const binary64 cv = sqrt(variance_of(variances)) / (mean_of(variances) + binary64(eps));
  const binary64 expected = sqrt(binary64(2.0) / binary64(static_cast<double>(std::max(length - 1, 1))));
  return cv / expected;
}

std::vector<double> values_of(const std::vector<binary64>& v) {
  std::vector<double> out;
  for (const binary64& x : v) out.push_back(x.value());
  return out;
}

}  // namespace

pattern_report detect_pattern(const fp32_matrix& x, double ratio, double eps) {
  const auto element = [&x](int r, int c) { return binary64(double{std::bit_cast<float>(x.at(r, c))}); };
  std::vector<binary64> rv, cv;
  for (int r = 0; r < x.rows; ++r) {
    std::vector<binary64> row;
    for (int c = 0; c < x.cols; ++c) row.push_back(element(r, c));
    rv.push_back(variance_of(row));
  }
  for (int c = 0; c < x.cols; ++c) {
    std::vector<binary64> column;
    for (int r = 0; r < x.rows; ++r) column.push_back(element(r, c));
    cv.push_back(variance_of(column));
  }
  const binary64 cv_row = normalised_cv(rv, x.cols, eps), cv_col = normalised_cv(cv, x.rows, eps);
  pattern verdict = pattern::none;
  if (cv_row / (cv_col + binary64(eps)) > binary64(ratio))
    verdict = pattern::row;
  else if (cv_col / (cv_row + binary64(eps)) > binary64(ratio))
    verdict = pattern::column;
  return {values_of(rv), values_of(cv), cv_row.value(), cv_col.value(), verdict};
}

}  // namespace independent
