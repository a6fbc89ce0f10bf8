// Variances and verdicts of chapter 7: exact cases by hand, rounding order by construction, verdicts on shaped tensors.
#include "reference/pattern.h"

#include <algorithm>

#include "reference_support.h"

using namespace adahop;
using reference::classify;
using reference::variances;

namespace {

// Sum of the chunk sums, each over at most 64 consecutive values, written with explicit storage.
double two_level(const std::vector<double>& v) {
  std::vector<double> chunks;
  for (size_t i = 0; i < v.size(); ++i) {
    if (i % 64 == 0) chunks.push_back(0.0);
    chunks.back() = chunks.back() + v[i];
  }
  double total = 0.0;
  for (const double c : chunks) total = total + c;
  return total;
}

double flat(const std::vector<double>& v) {
  double total = 0.0;
  for (const double x : v) total += x;
  return total;
}

template <class Sum>
double variance_by(const std::vector<double>& v, const Sum& sum) {
  const double n = static_cast<double>(v.size()), mean = sum(v) / n;
  std::vector<double> squares;
  for (const double x : v) squares.push_back((x - mean) * (x - mean));
  return sum(squares) / (n - 1);
}

adahop_pattern_result verdict(const matrix<float>& x, std::string_view line = "") {
  return classify(test::policy_with(line), variances(view_of(x)));
}

// Normal-ish noise, with every 8th row (or column) 12 times larger.
matrix<float> shaped(uint64_t seed, int64_t rows, int64_t cols, adahop_pattern pattern, double scale = 1.0) {
  test::generator random(seed);
  matrix<float> m(rows, cols);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      double v = 0;
      for (int i = 0; i < 12; ++i) v += random.integer(-1000, 1000) / 2000.0;
      if (pattern == ADAHOP_PATTERN_ROW && r % 8 == 0) v *= 12;
      if (pattern == ADAHOP_PATTERN_COLUMN && c % 8 == 0) v *= 12;
      m.at(r, c) = static_cast<float>(v * scale);
    }
  return m;
}

}  // namespace

TEST_CASE("variances of small integers are exact quotients", "[spec:7.2][spec:7.3][spec:7.4]") {
  test::generator random(30);
  matrix<float> x(64, 32);
  for (float& v : x.data) v = static_cast<float>(random.integer(-100, 100));
  const reference::line_variances v = variances(view_of(x));
  const auto expected = [](const std::vector<int64_t>& line) {
    // n * sum of squares - (sum)^2 over n (n - 1); n is a power of two, so every step but the last quotient is exact.
    int64_t sum = 0, squares = 0;
    for (const int64_t e : line) sum += e, squares += e * e;
    const int64_t n = static_cast<int64_t>(line.size());
    return static_cast<double>(n * squares - sum * sum) / static_cast<double>(n) / static_cast<double>(n - 1);
  };
  REQUIRE(v.rows.size() == 64);
  REQUIRE(v.cols.size() == 32);
  for (int64_t r = 0; r < 64; ++r) {
    std::vector<int64_t> line;
    for (int64_t c = 0; c < 32; ++c) line.push_back(static_cast<int64_t>(x.at(r, c)));
    CHECK(v.rows[static_cast<size_t>(r)] == expected(line));
  }
  for (int64_t c = 0; c < 32; ++c) {
    std::vector<int64_t> line;
    for (int64_t r = 0; r < 64; ++r) line.push_back(static_cast<int64_t>(x.at(r, c)));
    CHECK(v.cols[static_cast<size_t>(c)] == expected(line));
  }
}

TEST_CASE("sums are two-level in chunks of 64", "[spec:7.1][spec:1.5]") {
  test::generator random(31);
  int told_apart = 0;
  for (const int64_t n : {2, 63, 64, 65, 127, 128, 129, 300, 1000})
    for (int repeat = 0; repeat < 20; ++repeat) {
      matrix<float> x(1, n);
      std::vector<double> line;
      for (float& v : x.data) {
        v = random.with_exponent(90, 160);
        line.push_back(static_cast<double>(v));
      }
      const double expected = variance_by(line, two_level);
      REQUIRE(variances(view_of(x)).rows[0] == expected);
      REQUIRE(variances(transposed(view_of(x))).cols[0] == expected);
      told_apart += variance_by(line, flat) != expected ? 1 : 0;
    }
  CHECK(told_apart > 20);
}

TEST_CASE("squares are rounded before they are added", "[spec:1.5][spec:7.3]") {
  test::generator random(36);
  int told_apart = 0;
  for (int repeat = 0; repeat < 100; ++repeat) {
    matrix<float> x(1, 64);
    std::vector<double> line;
    for (float& v : x.data) line.push_back(static_cast<double>(v = random.with_exponent(120, 130)));
    const double mean = two_level(line) / 64;
    double fused = 0;
    for (const double v : line) fused = std::fma(v - mean, v - mean, fused);
    const double variance = variances(view_of(x)).rows[0];
    REQUIRE(variance == variance_by(line, two_level));
    told_apart += variance != fused / 63 ? 1 : 0;
  }
  CHECK(told_apart > 10);
}

TEST_CASE("a constant line has variance 0", "[spec:7.2]") {
  // A reciprocal instead of a division would leave a remainder here.
  for (const int64_t n : {3, 7, 49, 64, 100, 641}) {
    matrix<float> x(2, n);
    std::fill(x.data.begin(), x.data.end(), 1.0f);
    const reference::line_variances v = variances(view_of(x));
    CHECK(v.rows == std::vector<double>(2, 0.0));
    CHECK(v.cols == std::vector<double>(static_cast<size_t>(n), 0.0));
    const adahop_pattern_result result = verdict(x);
    CHECK(result.pattern == ADAHOP_PATTERN_NONE);
    CHECK(result.cv_row == 0.0);
    CHECK(result.cv_col == 0.0);
  }
}

TEST_CASE("the normalised coefficients of variation", "[spec:7.5]") {
  // rv = {1, 3}: mean 2, variance 2; cv = {4, 4, 4, 4}.
  const policy p = test::policy_with("pattern_eps=0.5");
  const adahop_pattern_result result = classify(p, {{1, 3}, {4, 4, 4, 4}});
  CHECK(result.cv_row == std::sqrt(2.0) / 2.5 / std::sqrt(2.0 / 3.0));
  CHECK(result.cv_col == 0.0);
  CHECK(result.pattern == ADAHOP_PATTERN_NONE);  // 0.69 / 0.5 < 2
  CHECK(classify(test::policy_with("pattern_eps=0.5,pattern_ratio=1.3"), {{1, 3}, {4, 4, 4, 4}}).pattern == ADAHOP_PATTERN_ROW);
  // max(R - 1, 1) keeps the divisor of a single row finite; its CV is NaN all the same.
  CHECK(std::isnan(classify(p, {{1}, {2, 2, 2}}).cv_row));
}

TEST_CASE("verdicts", "[spec:7.6][spec:8.2]") {
  for (const adahop_pattern pattern : {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}) {
    const matrix<float> x = shaped(32, 128, 96, pattern);
    CHECK(verdict(x).pattern == pattern);
    const adahop_pattern_result t = classify(default_policy(), variances(transposed(view_of(x))));
    const adahop_pattern swapped = pattern == ADAHOP_PATTERN_ROW      ? ADAHOP_PATTERN_COLUMN
                                   : pattern == ADAHOP_PATTERN_COLUMN ? ADAHOP_PATTERN_ROW
                                                                      : pattern;
    CHECK(t.pattern == swapped);
    CHECK(t.cv_row == verdict(x).cv_col);
    CHECK(t.cv_col == verdict(x).cv_row);
  }
  // A quotient equal to the ratio is not above it. CVcol is 0 here and eps 0.5.
  policy at = test::policy_with("pattern_eps=0.5");
  const double quotient = classify(at, {{1, 3}, {4, 4, 4, 4}}).cv_row / 0.5;
  at.pattern_ratio = quotient;
  CHECK(classify(at, {{1, 3}, {4, 4, 4, 4}}).pattern == ADAHOP_PATTERN_NONE);
  at.pattern_ratio = std::nextafter(quotient, 0.0);
  CHECK(classify(at, {{1, 3}, {4, 4, 4, 4}}).pattern == ADAHOP_PATTERN_ROW);
  CHECK(classify(at, {{4, 4, 4, 4}, {1, 3}}).pattern == ADAHOP_PATTERN_COLUMN);
}

TEST_CASE("NaN, Inf and single rows or columns give none, and canonical NaNs", "[spec:7.7][spec:7.3][spec:1.4]") {
  const auto nan_bits = [](double v) { return __builtin_bit_cast(uint64_t, v); };
  constexpr uint64_t kNan = 0x7FF8000000000000u;
  for (const uint32_t bad : {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFFFFFFFu}) {
    matrix<float> x = shaped(33, 64, 64, ADAHOP_PATTERN_ROW);
    x.at(5, 7) = float_of(bad);
    const reference::line_variances v = variances(view_of(x));
    CHECK(nan_bits(v.rows[5]) == kNan);
    CHECK(nan_bits(v.cols[7]) == kNan);
    CHECK(std::isfinite(v.rows[4]));
    const adahop_pattern_result result = verdict(x);
    CHECK(result.pattern == ADAHOP_PATTERN_NONE);
    CHECK(nan_bits(result.cv_row) == kNan);
    CHECK(nan_bits(result.cv_col) == kNan);
  }
  for (const auto& [rows, cols] : {std::pair{1, 64}, std::pair{64, 1}, std::pair{1, 1}}) {
    const matrix<float> x = shaped(34, rows, cols, ADAHOP_PATTERN_NONE);
    const reference::line_variances v = variances(view_of(x));
    if (cols == 1) CHECK(nan_bits(v.rows[0]) == kNan);
    if (rows == 1) CHECK(nan_bits(v.cols[0]) == kNan);
    CHECK(verdict(x).pattern == ADAHOP_PATTERN_NONE);
  }
}

TEST_CASE("the verdict depends on scale through eps", "[spec:7.8]") {
  const matrix<float> x = shaped(35, 64, 64, ADAHOP_PATTERN_ROW);
  const matrix<float> tiny = shaped(35, 64, 64, ADAHOP_PATTERN_ROW, 0x1p-40);
  CHECK(verdict(x).pattern == ADAHOP_PATTERN_ROW);
  CHECK(verdict(tiny).pattern == ADAHOP_PATTERN_NONE);
  // Without eps the verdict is that of the shape alone.
  CHECK(verdict(tiny, "pattern_eps=0").pattern == ADAHOP_PATTERN_ROW);
}
