// Transforms of 16, 64 and 128, and random signs: order, rounding sequence, exactness, factor, and what cancels in a
// product.
#include <bit>
#include <map>

#include "adahop/formats/philox.h"
#include "reference/hadamard.h"
#include "reference/round_bf16.h"
#include "reference_policies_support.h"

using namespace adahop;
using test::policy_with;

namespace {

constexpr int32_t kSizes[] = {16, 32, 64, 128};

bool negative_entry(size_t row, size_t column) { return std::popcount(row & column) % 2 == 1; }

bool negated(uint64_t seed, uint32_t position) {
  return philox4x32_10(seed, {{position, 0, 0, 1}}).word[0] >= 0x80000000u;
}

}  // namespace

TEST_CASE("every size: Sylvester's matrix, strides ascending, one multiplication", "[spec:6.10][spec:6.2][spec:6.3]") {
  const std::map<int32_t, uint32_t> factors = {
      {16, 0x3E800000u}, {32, 0x3E3504F3u}, {64, 0x3E000000u}, {128, 0x3DB504F3u}};
  test::generator random(320);
  for (const int32_t size : kSizes)
    for (int repeat = 0; repeat < 300; ++repeat) {
      std::vector<float> x, integers;
      for (int32_t i = 0; i < size; ++i) {
        x.push_back(random.with_exponent(100, 140));
        integers.push_back(static_cast<float>(random.integer(-10000, 10000)));
      }
      const std::vector<float> expected = test::sylvester(x);
      std::vector<float> y = x;
      reference::hadamard_transform(y.data(), size);
      for (size_t i = 0; i < y.size(); ++i)
        REQUIRE(bits_of(y[i]) == bits_of(expected[i] * float_of(factors.at(size))));
      std::vector<float> z = integers;
      reference::hadamard_butterflies(z.data(), size);
      for (size_t i = 0; i < z.size(); ++i) {
        double sum = 0;
        for (size_t j = 0; j < z.size(); ++j)
          sum += static_cast<double>(negative_entry(i, j) ? -integers[j] : integers[j]);
        REQUIRE(static_cast<double>(z[i]) == sum);
      }
    }
}

TEST_CASE("the factors are the FP32 nearest to 1 / sqrt(n)", "[spec:6.10]") {
  for (const int32_t size : kSizes) {
    std::vector<float> x(static_cast<size_t>(size), 0.0f);
    x[0] = 1.0f;
    reference::hadamard_transform(x.data(), size);
    const double exact = 1 / std::sqrt(static_cast<double>(size));
    for (const float v : x) {
      CHECK(bits_of(v) == bits_of(static_cast<float>(exact)));
      CHECK(bits_of(v) == bits_of(x[0]));
    }
  }
}

TEST_CASE("F15: H H x = n x, and the ramp, for every size", "[spec:6.10][spec:6.6]") {
  for (const int32_t size : kSizes) {
    const size_t n = static_cast<size_t>(size);
    std::vector<float> ramp(n);
    for (size_t i = 0; i < n; ++i) ramp[i] = static_cast<float>(i);
    std::vector<float> y = ramp;
    reference::hadamard_butterflies(y.data(), size);
    for (size_t i = 0; i < n; ++i) {
      const float expected = i == 0 ? static_cast<float>(n * (n - 1) / 2)
                             : std::has_single_bit(i) ? -static_cast<float>(i * n / 2) : 0.0f;
      CHECK(y[i] == expected);
    }
    for (size_t unit = 0; unit < n; ++unit) {
      std::vector<float> x(n, 0.0f);
      x[unit] = -3.0f;
      reference::hadamard_butterflies(x.data(), size);
      reference::hadamard_butterflies(x.data(), size);
      for (size_t i = 0; i < n; ++i) REQUIRE(x[i] == (i == unit ? -3.0f * static_cast<float>(size) : 0.0f));
    }
  }
}

TEST_CASE("whole matrices: aligned groups, signs by position, output in FP32 and BF16",
          "[spec:6.10][spec:6.11][spec:6.4]") {
  test::generator random(321);
  const matrix<float> x = test::random_f32(random, 7, 256);
  for (const int32_t size : kSizes)
    for (const std::string_view signs : {"none", "random(42)", "random(18446744073709551615)"}) {
      const policy p = policy_with(fmt::format("hadamard_size={},hadamard_signs={},hadamard_output=f32", size, signs));
      policy narrow = p;
      narrow.hadamard_output = ADAHOP_BF16;
      const matrix<float> f = test::hadamard(p, view_of(x)), b = test::hadamard(narrow, view_of(x));
      CAPTURE(size, signs);
      CHECK(test::bits_of_all(test::hadamard(p, test::scattered(x).view).data) == test::bits_of_all(f.data));
      for (int64_t r = 0; r < x.rows; ++r)
        for (int64_t first = 0; first < x.cols; first += size) {
          std::vector<float> group;
          for (int64_t c = first; c < first + size; ++c) {
            const bool flip =
                p.hadamard_signs == ADAHOP_SIGNS_RANDOM && negated(p.hadamard_seed, static_cast<uint32_t>(c));
            group.push_back(flip ? -x.at(r, c) : x.at(r, c));
          }
          reference::hadamard_transform(group.data(), size);
          for (int64_t i = 0; i < size; ++i) {
            const float v = group[static_cast<size_t>(i)];
            REQUIRE(bits_of(f.at(r, first + i)) == bits_of(v));
            REQUIRE(bits_of(b.at(r, first + i)) == bits_of(decode_bf16(reference::round_bf16(v))));
          }
        }
    }
}

TEST_CASE("signs: about half are -1, another seed has others, a group is not like the next", "[spec:6.11]") {
  const auto count = [](uint64_t seed, int64_t first) {
    int negatives = 0;
    for (int64_t i = first; i < first + 1024; ++i) negatives += reference::hadamard_negates(seed, i) ? 1 : 0;
    return negatives;
  };
  for (const uint64_t seed : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 40}) {
    CHECK(std::abs(count(seed, 0) - 512) < 80);  // five standard deviations
    int same_as_next_group = 0, same_as_next_seed = 0;
    for (int64_t i = 0; i < 1024; ++i) {
      same_as_next_group += reference::hadamard_negates(seed, i) == reference::hadamard_negates(seed, i + 32) ? 1 : 0;
      same_as_next_seed += reference::hadamard_negates(seed, i) == reference::hadamard_negates(seed + 1, i) ? 1 : 0;
    }
    CHECK(std::abs(same_as_next_group - 512) < 80);
    CHECK(std::abs(same_as_next_seed - 512) < 80);
  }
}

TEST_CASE("special values: a NaN fills its group alone, signs turn Inf, subnormals stay",
          "[spec:6.5][spec:6.10][spec:6.11]") {
  for (const int32_t size : kSizes) {
    const policy p = policy_with(fmt::format("hadamard_size={},hadamard_signs=random(9),hadamard_output=f32", size));
    matrix<float> x(3, 128);
    x.at(0, 127) = float_of(0xFFC12345u);
    x.at(1, 127) = test::kInf;
    x.at(2, 127) = float_of(0x80000010u);  // -2^-145: exact after a factor of 1/4 or 1/8
    const matrix<float> y = test::hadamard(p, view_of(x));
    const bool flip = negated(9, 127);
    for (int64_t c = 0; c < 128; ++c) {
      if (c < 128 - size) {
        CHECK(bits_of(y.at(0, c)) << 1 == 0);
        continue;
      }
      CHECK(bits_of(y.at(0, c)) == 0x7FC00000u);
      const bool negative = negative_entry(static_cast<size_t>(c % size), static_cast<size_t>(size - 1)) != flip;
      CHECK(bits_of(y.at(1, c)) == (negative ? 0xFF800000u : 0x7F800000u));
      if (size == 16 || size == 64)
        CHECK(bits_of(y.at(2, c)) == ((negative ? 0u : 0x80000000u) | (size == 16 ? 4u : 2u)));
    }
  }
}

TEST_CASE("both operands carry the same signs, so that a product is the one without", "[spec:6.11][spec:11.1]") {
  // Up to four values of one magnitude in each 16 give transformed values in {0, 1, 2, 3, 4} of a unit: no two of them
  // with 1 and 4 together, so E2M1 holds them and nothing is rounded.
  test::generator random(322);
  const auto sparse = [&](int64_t rows) {
    matrix<bf16> m(rows, 128);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t group = 0; group < 128; group += 16)
        for (int i = 0; i < random.integer(1, 4); ++i)
          m.at(r, group + random.integer(0, 15)) = test::exact_bf16(random.integer(0, 1) == 0 ? 4.0f : -4.0f);
    return m;
  };
  const matrix<bf16> a = sparse(9), b = sparse(8);
  const pattern_pair none{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
  const policy plain = policy_with("hadamard_size=16,output=f32,scale_rule=rceil");
  const policy with_signs = policy_with("hadamard_size=16,output=f32,scale_rule=rceil,hadamard_signs=random(7)");
  const policy other_signs = policy_with("hadamard_size=16,scale_rule=rceil,hadamard_signs=random(8)");
  const matrix<float> c = test::matmul(plain, none, 1, view_of(a), view_of(b));
  const matrix<float> d = test::matmul(with_signs, none, 1, view_of(a), view_of(b));
  for (int64_t m = 0; m < 9; ++m)
    for (int64_t n = 0; n < 8; ++n) {
      float exact = 0;
      for (int64_t k = 0; k < 128; ++k) exact += decode_bf16(a.at(m, k)) * decode_bf16(b.at(n, k));
      CHECK(c.at(m, n) == exact);
      CHECK(d.at(m, n) == exact);
    }
  const test::quantized qa = test::hadamard_quantize(with_signs, view_of(a)),
                        qb = test::hadamard_quantize(other_signs, view_of(b));
  CHECK(test::mx_gemm(with_signs, qa.data, qb.data).data != c.data);
  CHECK(qa.data.codes != test::hadamard_quantize(plain, view_of(a)).data.codes);
}

TEST_CASE("products of every size: IHT is its steps, and stays near the true product",
          "[spec:6.10][spec:11.1][spec:11.2][spec:11.3]") {
  test::generator random(323);
  const matrix<bf16> a = test::random_bf16(random, 12, 256), b = test::random_bf16(random, 10, 256);
  for (const int32_t size : kSizes)
    for (const std::string_view signs : {"none", "random(3)"}) {
      const policy p = policy_with(fmt::format("hadamard_size={},hadamard_signs={},output=f32,oe_k=2", size, signs));
      const matrix<float> c = test::matmul(p, {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE}, 1, view_of(a), view_of(b));
      const matrix<float> steps =
          test::mx_gemm(p, test::hadamard_quantize(p, view_of(a)).data, test::hadamard_quantize(p, view_of(b)).data);
      CHECK(test::bits_of_all(c.data) == test::bits_of_all(steps.data));
      // Rows and columns that are no outliers keep their bits under extraction of others: their operands are the same.
      const matrix<float> left = test::matmul(p, {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE}, 1, view_of(a), view_of(b));
      const matrix<float> right =
          test::matmul(p, {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}, 1, view_of(a), view_of(b));
      int rows_changed = 0, columns_changed = 0;
      for (int64_t m = 0; m < 12; ++m) {
        bool changed = false;
        for (int64_t n = 0; n < 10; ++n) changed = changed || bits_of(left.at(m, n)) != bits_of(c.at(m, n));
        rows_changed += changed ? 1 : 0;
      }
      for (int64_t n = 0; n < 10; ++n) {
        bool changed = false;
        for (int64_t m = 0; m < 12; ++m) changed = changed || bits_of(right.at(m, n)) != bits_of(c.at(m, n));
        columns_changed += changed ? 1 : 0;
      }
      CHECK(rows_changed == 2);
      CHECK(columns_changed == 2);
    }
}

TEST_CASE("an inner dimension that is no multiple of the size is refused by number",
          "[spec:6.10][spec:3.4][spec:11.7]") {
  for (const int32_t size : {64, 128}) {
    const policy p = policy_with(fmt::format("hadamard_size={},hadamard_output=f32,output=f32", size));
    matrix<float> x(2, 96), y(2, 96), c(2, 2);
    matrix<bf16> a(2, 96);
    mx_matrix q(2, 96);
    const adahop_hadamard_args h{&p, view_of(x), view_of(y)};
    const adahop_hadamard_quantize_args hq{&p, view_of(x), nullptr, 0, view_of(q), nullptr};
    const adahop_matmul_args m{&p, 1, 0, 0, 0, view_of(a), view_of(a), view_of(c)};
    const std::string says = fmt::format("inner dimension 96 is not a multiple of {}", size);
    const auto refused = [&](int32_t code) {
      CHECK(code == ADAHOP_INVALID_ARGUMENT);
      CHECK(std::string(test::reference_backend().last_error()).find(says) != std::string::npos);
    };
    refused(test::reference_backend().hadamard(&test::kHostExec, &h));
    refused(test::reference_backend().hadamard_quantize(&test::kHostExec, &hq));
    refused(test::reference_backend().matmul(&test::kHostExec, &m));
    const adahop_quantize_args plain{&p, view_of(x), view_of(q), nullptr};
    CHECK(test::reference_backend().quantize(&test::kHostExec, &plain) == ADAHOP_OK);  // transforms nothing
  }
}
