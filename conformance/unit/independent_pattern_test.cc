// Pattern statistics and verdicts against 53-bit MPFR.
#include <bit>
#include <cmath>
#include <limits>

#include "catch.h"
#include "independent/binary64.h"
#include "independent_support.h"
#include "reference/backend.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

std::vector<uint32_t> words(const std::vector<double>& values) {
  std::vector<uint32_t> out;
  for (const double v : values) {
    const uint64_t bits = std::bit_cast<uint64_t>(v);
    out.push_back(static_cast<uint32_t>(bits >> 32));
    out.push_back(static_cast<uint32_t>(bits));
  }
  return out;
}

/// Compares variances, CVs and verdict of the reference with the independent ones; returns the verdict.
int32_t check_pattern(const independent::fp32_matrix& x, const adahop_policy& policy) {
  const independent::pattern_report expected =
      independent::detect_pattern(x, policy.pattern_ratio, policy.pattern_eps);
  const adahop::matrix<float> floats = to_floats(x);
  std::vector<double> rows(static_cast<size_t>(x.rows)), cols(static_cast<size_t>(x.cols));
  adahop_pattern_result result{};
  const adahop_exec exec = host_exec();
  const adahop_pattern_args args{&policy, adahop::view_of(floats), rows.data(), cols.data(), &result};
  CHECK(reference().pattern(&exec, &args) == ADAHOP_OK);
  CHECK(difference(words(rows), words(expected.row_variance)) == "");
  CHECK(difference(words(cols), words(expected.col_variance)) == "");
  CHECK(difference(words({result.cv_row, result.cv_col}), words({expected.cv_row, expected.cv_col})) == "");
  CHECK(pattern_of(result.pattern) == expected.verdict);
  return result.pattern;
}

/// Values of about unit size with every 16th row, or column, 16 times as large; then all times 2^exponent.
independent::fp32_matrix with_outliers(source& random, int rows, int cols, bool in_rows, int exponent) {
  independent::fp32_matrix x(rows, cols);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) {
      const bool outlier = (in_rows ? r : c) % 16 == 5;
      x.at(r, c) = random.fp32(124, 127) + (outlier ? 4u << 23 : 0u) + (static_cast<uint32_t>(exponent) << 23);
    }
  return x;
}

}  // namespace

TEST_CASE("pattern statistics of every kind of content and shape equal 53-bit MPFR",
          "[independent][spec:7.1][spec:7.2][spec:7.3][spec:7.4][spec:7.5][spec:7.6][spec:7.7]") {
  source random(22);
  struct shape { int rows, cols; };
  const adahop_policy policy = adahop::default_policy();
  for (const shape& s :
       {shape{64, 64}, shape{65, 129}, shape{1, 40}, shape{40, 1}, shape{1, 1}, shape{2, 3}, shape{33, 200}})
    for (const content kind : kAllContents)
      for (const bool bf16_values : {false, true}) {
        CAPTURE(s.rows, s.cols, name(kind), bf16_values);
        const int32_t verdict = check_pattern(make(random, s.rows, s.cols, kind, bf16_values), policy);
        if (s.rows == 1 || s.cols == 1) CHECK(verdict == ADAHOP_PATTERN_NONE);
      }
}

TEST_CASE("outlier rows and columns are found, and the eps hides them at a small scale",
          "[independent][spec:7.6][spec:7.8]") {
  source random(23);
  const adahop_policy policy = adahop::default_policy();
  for (const int exponent : {0, 20, -10, -28, -32, -40, -100}) {
    const int32_t rows = check_pattern(with_outliers(random, 64, 96, true, exponent), policy);
    const int32_t cols = check_pattern(with_outliers(random, 64, 96, false, exponent), policy);
    CAPTURE(exponent);
    if (exponent >= -10) {
      CHECK(rows == ADAHOP_PATTERN_ROW);
      CHECK(cols == ADAHOP_PATTERN_COLUMN);
    }
    if (exponent <= -40) {
      CHECK(rows == ADAHOP_PATTERN_NONE);
      CHECK(cols == ADAHOP_PATTERN_NONE);
    }
  }
}

TEST_CASE("ratio and eps of the policy are the ones used", "[independent][spec:7.6]") {
  source random(24);
  const independent::fp32_matrix x = with_outliers(random, 48, 64, true, 0);
  for (const double ratio : {0.5, 1.0, 2.0, 3.25, 1e6})
    for (const double eps : {0.0, 1e-300, 1e-8, 1e-2, 10.0}) {
      adahop_policy policy = adahop::default_policy();
      policy.pattern_ratio = ratio;
      policy.pattern_eps = eps;
      CAPTURE(ratio, eps);
      check_pattern(x, policy);
    }
}

TEST_CASE("a quotient equal to the ratio is not above it", "[independent][spec:7.6]") {
  source random(29);
  for (const bool in_rows : {true, false}) {
    const independent::fp32_matrix x = with_outliers(random, 48, 64, in_rows, 0);
    adahop_policy policy = adahop::default_policy();
    const independent::pattern_report report = independent::detect_pattern(x, policy.pattern_ratio, policy.pattern_eps);
    const double larger = in_rows ? report.cv_row : report.cv_col, smaller = in_rows ? report.cv_col : report.cv_row;
    const independent::binary64 divisor = independent::binary64(smaller) + independent::binary64(policy.pattern_eps);
    policy.pattern_ratio = (independent::binary64(larger) / divisor).value();
    CHECK(check_pattern(x, policy) == ADAHOP_PATTERN_NONE);
    policy.pattern_ratio = std::nextafter(policy.pattern_ratio, 0.0);
    CHECK(check_pattern(x, policy) == (in_rows ? ADAHOP_PATTERN_ROW : ADAHOP_PATTERN_COLUMN));
  }
}

TEST_CASE("constant rows and columns give no false verdict", "[independent][spec:7.2][spec:7.3]") {
  const adahop_policy policy = adahop::default_policy();
  for (const uint32_t value : {0x00000000u, 0x80000000u, 0x3DCCCCCDu, 0x3EAAAAABu, 0x7F7FFFFFu, 0x00000001u}) {
    independent::fp32_matrix x(49, 100);
    for (uint32_t& v : x.bits) v = value;
    CAPTURE(value);
    CHECK(check_pattern(x, policy) == ADAHOP_PATTERN_NONE);
    for (int c = 0; c < x.cols; ++c) x.at(7, c) = 0x41200000u;
    check_pattern(x, policy);
  }
}

TEST_CASE("one NaN or Inf gives no pattern and canonical NaN statistics", "[independent][spec:7.7][spec:1.4]") {
  source random(25);
  for (const uint32_t value : {0x7FC00000u, 0xFFFFFFFFu, 0x7F800000u, 0xFF800000u}) {
    independent::fp32_matrix x = with_outliers(random, 32, 64, true, 0);
    x.at(3, 17) = value;
    CAPTURE(value);
    CHECK(check_pattern(x, adahop::default_policy()) == ADAHOP_PATTERN_NONE);
  }
}
