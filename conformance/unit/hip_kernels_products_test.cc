// The product kernels of hip-cpu: tails in M, N and K for both matrix tiles, accumulation by hand, outliers.
#include <algorithm>
#include <array>

#include "hip_kernels_support.h"

using namespace adahop;
using namespace adahop_test;

namespace {

// Codes of -3..3 (-3, -2, -1, 0, 1, 2, 3) with byte 127.
void fill(mx_matrix& q) {
  static constexpr uint8_t kCodes[7] = {13, 12, 10, 0, 2, 4, 5};
  std::fill(q.scales.begin(), q.scales.end(), uint8_t{127});
  for (int64_t r = 0; r < q.outer; ++r)
    for (int64_t k = 0; k < q.inner; ++k)
      q.codes[static_cast<size_t>(r * q.inner / 2 + k / 2)] |=
          static_cast<uint8_t>(kCodes[pattern_value(r, k) + 3] << (4 * (k % 2)));
}

int32_t dot(int64_t row_a, int64_t row_b, int64_t k_end) {
  int32_t sum = 0;
  for (int64_t k = 0; k < k_end; ++k) sum += pattern_value(row_a, k) * pattern_value(row_b, k);
  return sum;
}

float mx_dot(const policy& p, const std::vector<uint8_t>& a_bytes, const std::vector<uint8_t>& b_bytes,
             const std::vector<uint8_t>& first_codes) {
  const auto blocks = static_cast<int64_t>(a_bytes.size());
  mx_matrix a(1, 32 * blocks), b(1, 32 * blocks);
  a.scales = a_bytes;
  b.scales = b_bytes;
  for (size_t i = 0; i < a_bytes.size(); ++i) {
    a.codes[16 * i] = first_codes[i];
    b.codes[16 * i] = 0x02;  // 1.0
  }
  matrix<float> c(1, 1);
  require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(a), view_of(b), view_of(c)});
  return c.at(0, 0);
}

}  // namespace

TEST_CASE("the MX product is right in every tail, for both matrix tiles", "[hip-kernels][spec:10.1][spec:1.2]") {
  const policy p = default_policy();
  for (const char* tile : {"16x16x128", "32x32x64"}) {
    set_option("mx_tile", tile);
    for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 1, 32}, {16, 17, 64}, {63, 65, 96}, {65, 64, 128}, {130, 33, 160},
                                  {64, 129, 288}}) {
      INFO(tile << ", " << m << " x " << n << " x " << k);
      mx_matrix a(m, k), b(n, k);
      fill(a);
      fill(b);
      matrix<float> c(m, n), t(n, m);
      require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(a), view_of(b), view_of(c)});
      require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(a), view_of(b), transposed(view_of(t))});
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          REQUIRE(c.at(i, j) == static_cast<float>(dot(i, j, k)));
          REQUIRE(t.at(j, i) == c.at(i, j));
        }
    }
  }
  set_option("mx_tile", "16x16x128");
}

TEST_CASE("block_rne rounds once a block, in ascending k", "[hip-kernels][spec:10.4][spec:10.5][spec:10.6]") {
  const policy p = default_policy();
  for (const char* tile : {"16x16x128", "32x32x64"}) {
    set_option("mx_tile", tile);
    // 2^24 + 1 is a tie to even each time, 1 + 1 + 2^24 is not.
    REQUIRE(mx_dot(p, {151, 127, 127}, {127, 127, 127}, {2, 2, 2}) == 0x1p24f);
    REQUIRE(mx_dot(p, {127, 127, 151}, {127, 127, 127}, {2, 2, 2}) == 0x1p24f + 2);
    // A cancelled sum is +0; a term far below the smallest subnormal keeps its sign until a zero term is added.
    REQUIRE(bits_of(mx_dot(p, {127, 127}, {127, 127}, {2, 10})) == 0);
    REQUIRE(bits_of(mx_dot(p, {0}, {0}, {10})) == 0x80000000u);
    REQUIRE(bits_of(mx_dot(p, {0, 0}, {0, 0}, {10, 0})) == 0);
    // Terms above 2^128 and Inf that stays.
    REQUIRE(bits_of(mx_dot(p, {254, 254}, {254, 254}, {2, 10})) == 0x7F800000u);
    REQUIRE(bits_of(mx_dot(p, {254, 254}, {0, 0}, {2, 2})) == bits_of(2.0f));
    // A term is never Inf by itself: 2^127 + (-2^128) + 2^127 passes through -2^127.
    REQUIRE(bits_of(mx_dot(p, {254, 254, 254}, {127, 128, 127}, {2, 10, 2})) == 0);
    // NaN scales count over zero codes.
    REQUIRE(bits_of(mx_dot(p, {127, 255}, {127, 0}, {2, 0})) == 0x7FC00000u);
    REQUIRE(bits_of(mx_dot(p, {127, 0}, {255, 127}, {0, 2})) == 0x7FC00000u);
  }
  set_option("mx_tile", "16x16x128");
}

TEST_CASE("K = 0 gives +0 and empty outputs are left alone", "[hip-kernels][spec:10.7]") {
  const policy p = default_policy();
  mx_matrix a(3, 0), b(5, 0), none(0, 32), some(5, 32);
  matrix<float> c(3, 5), empty(0, 5);
  for (float& v : c.data) v = 1.0f;
  require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(a), view_of(b), view_of(c)});
  REQUIRE(bits(c) == std::vector<uint32_t>(15, 0));
  require_ok(hip_cpu().mx_gemm, adahop_mx_gemm_args{&p, view_of(none), view_of(some), view_of(empty)});

  matrix<bf16> x(3, 0), w(5, 0), y(3, 5);
  for (bf16& v : y.data) v = {1};
  require_ok(hip_cpu().bf16_gemm, adahop_bf16_gemm_args{&p, view_of(x), view_of(w), view_of(y)});
  REQUIRE(bits(y) == std::vector<uint16_t>(15, 0));
}

TEST_CASE("the BF16 product is one fma chain an output, in every tail", "[hip-kernels][spec:10.8][spec:10.9]") {
  const policy p = default_policy();
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 1, 1}, {63, 65, 15}, {65, 64, 17}, {130, 3, 48}}) {
    INFO(m << " x " << n << " x " << k);
    matrix<bf16> a(m, k), b(k, n);  // b by its transposed view
    for (int64_t i = 0; i < m; ++i)
      for (int64_t l = 0; l < k; ++l) a.at(i, l) = bf16_of(static_cast<float>(pattern_value(i, l)));
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l) b.at(l, j) = bf16_of(static_cast<float>(pattern_value(j, l)));
    matrix<float> c(m, n);
    require_ok(hip_cpu().bf16_gemm, adahop_bf16_gemm_args{&p, view_of(a), transposed(view_of(b)), view_of(c)});
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) REQUIRE(c.at(i, j) == static_cast<float>(dot(i, j, k)));
  }
  const auto chain = [&](std::initializer_list<float> left, std::initializer_list<float> right) {
    const auto k = static_cast<int64_t>(left.size());
    matrix<bf16> a(1, k), b(1, k);
    std::transform(left.begin(), left.end(), a.data.begin(), bf16_of);
    std::transform(right.begin(), right.end(), b.data.begin(), bf16_of);
    matrix<float> c(1, 1);
    require_ok(hip_cpu().bf16_gemm, adahop_bf16_gemm_args{&p, view_of(a), view_of(b), view_of(c)});
    return bits_of(c.at(0, 0));
  };
  REQUIRE(chain({0x1p24f, 1, 1}, {1, 1, 1}) == bits_of(0x1p24f));
  REQUIRE(chain({1, 1, 0x1p24f}, {1, 1, 1}) == bits_of(0x1p24f + 2));
  REQUIRE(chain({0x1p-130f}, {1024}) == 0x03800000u);  // a BF16 subnormal counts
  REQUIRE(chain({0x1p-100f, -0x1p-100f}, {-0x1p-100f, 0}) == 0x80000000u);  // -2^-200 rounds to -0, and -0 + -0 stays
  REQUIRE(chain({0x1p100f, 1}, {0x1p100f, -1}) == 0x7F800000u);
  REQUIRE(chain({0x1p100f, 0x1p100f}, {0x1p100f, -0x1p100f}) == 0x7F800000u);  // products are never Inf by themselves
  REQUIRE(chain({float_of(0x7F800000u)}, {0}) == 0x7FC00000u);
}

TEST_CASE("scatter-add adds at chosen rows or columns only and rounds once", "[hip-kernels][spec:10.10][spec:2.8]") {
  const policy p = default_policy();
  for (const int32_t side : {ADAHOP_SIDE_LEFT, ADAHOP_SIDE_RIGHT}) {
    const bool left = side == ADAHOP_SIDE_LEFT;
    const std::vector<int32_t> chosen = left ? std::vector<int32_t>{0, 5, 66} : std::vector<int32_t>{1, 63, 64, 129};
    const auto count = static_cast<int64_t>(chosen.size());
    matrix<float> c(67, 130), outlier(left ? count : 67, left ? 130 : count), f(67, 130);
    matrix<bf16> b(67, 130);
    for (int64_t i = 0; i < 67; ++i)
      for (int64_t j = 0; j < 130; ++j) c.at(i, j) = static_cast<float>(1000 * i + j);
    for (int64_t i = 0; i < outlier.rows; ++i)
      for (int64_t j = 0; j < outlier.cols; ++j) outlier.at(i, j) = static_cast<float>(100000 * (left ? i + 1 : j + 1));
    c.at(3, 3) = float_of(0xFFC12345u);
    const auto run = [&](const adahop_view& out) {
      require_ok(hip_cpu().scatter_add,
                 adahop_scatter_add_args{&p, view_of(c), view_of(outlier), chosen.data(), count, side, 0, out});
    };
    run(view_of(f));
    run(view_of(b));
    for (int64_t i = 0; i < 67; ++i)
      for (int64_t j = 0; j < 130; ++j) {
        const auto place = std::find(chosen.begin(), chosen.end(), left ? i : j) - chosen.begin();
        const float expected = c.at(i, j) + (place == count ? 0.0f : static_cast<float>(100000 * (place + 1)));
        const bool nan = i == 3 && j == 3;
        REQUIRE(bits_of(f.at(i, j)) == (nan ? 0x7FC00000u : bits_of(expected)));
        // Nearest BF16 by distance: the value lies between two neighbours, ties to the even one.
        const uint32_t low = bits_of(expected) >> 16;
        const float below = expected - float_of(low << 16), above = float_of((low + 1) << 16) - expected;
        const uint32_t nearest = below < above || (below == above && low % 2 == 0) ? low : low + 1;
        REQUIRE(b.at(i, j).bits == (nan ? 0x7FC0u : nearest));
      }
    run(view_of(c));  // in place
    REQUIRE(bits(c) == bits(f));
  }
}

TEST_CASE("selection is by rank over any number of rows", "[hip-kernels][spec:9.1][spec:9.4][spec:9.5][spec:9.6]") {
  policy p = default_policy();
  p.oe_k = 300;
  for (const int64_t rows : {1, 64, 257, 700}) {
    INFO(rows << " rows");
    // A row of 64 elements +-h has mean 0 and score 64 h^2; h repeats every 100 rows, so ranks meet ties.
    matrix<bf16> x(rows, 64);
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t i = 0; i < 64; ++i) x.at(r, i) = bf16_of(static_cast<float>(i % 2 == 0 ? r % 100 : -(r % 100)));
    if (rows > 200) x.at(200, 5) = {0x7FC0};
    std::vector<float> scores(static_cast<size_t>(rows));
    std::vector<int32_t> indices(static_cast<size_t>(rows), -1), expected(static_cast<size_t>(rows));
    int64_t count = 0;
    require_ok(hip_cpu().select_outliers,
               adahop_select_outliers_args{&p, view_of(x), scores.data(), indices.data(), &count});
    const auto k = static_cast<size_t>(std::min<int64_t>(300, rows));
    REQUIRE(count == static_cast<int64_t>(k));
    const auto score = [&](int32_t r) { return r == 200 ? 1e9f : 64.0f * static_cast<float>((r % 100) * (r % 100)); };
    for (int32_t r = 0; r < rows; ++r) {
      expected[static_cast<size_t>(r)] = r;
      if (r == 200) REQUIRE(bits_of(scores[200]) == 0x7FC00000u);
      else REQUIRE(scores[static_cast<size_t>(r)] == score(r));
    }
    std::stable_sort(expected.begin(), expected.end(), [&](int32_t a, int32_t b) { return score(a) > score(b); });
    expected.resize(k);
    std::sort(expected.begin(), expected.end());
    indices.resize(k);
    REQUIRE(indices == expected);

    matrix<bf16> compact(count, 64);
    require_ok(hip_cpu().extract_outliers, adahop_extract_outliers_args{view_of(x), indices.data(), count, view_of(compact)});
    for (int64_t i = 0; i < count; ++i)
      for (int64_t j = 0; j < 64; ++j) REQUIRE(compact.at(i, j).bits == x.at(indices[static_cast<size_t>(i)], j).bits);
  }
}

TEST_CASE("variances of rows and columns in the two-level order", "[hip-kernels][spec:7.1][spec:7.3][spec:7.7]") {
  const policy p = default_policy();
  // 2^53 in one chunk absorbs 1 + 1 added one by one; as chunk sums they would survive. Row: 2^53, 63 x 0, 1, 1.
  matrix<float> x(2, 66);
  x.at(0, 0) = 0x1p53f;
  x.at(0, 64) = x.at(0, 65) = 1;
  x.at(1, 3) = 66;  // mean 1, deviations 65 and 65 times -1: variance (65^2 + 65) / 65 = 66
  std::vector<double> rows(2), cols(66);
  adahop_pattern_result result{};
  require_ok(hip_cpu().pattern, adahop_pattern_args{&p, view_of(x), rows.data(), cols.data(), &result});
  const double mean = (0x1p53 + 2) / 66, high = 0x1p53 - mean;
  double first = high * high;
  for (int i = 1; i < 64; ++i) first += mean * mean;
  const double second = (1 - mean) * (1 - mean) + (1 - mean) * (1 - mean);
  REQUIRE(rows[0] == (first + second) / 65);
  REQUIRE(rows[1] == 66);
  REQUIRE(cols[3] == 66.0 * 66.0 / 2);
  REQUIRE(cols[64] == 0.5);
  matrix<float> single(1, 64), empty(0, 64);
  require_ok(hip_cpu().pattern, adahop_pattern_args{&p, view_of(empty), nullptr, cols.data(), &result});
  REQUIRE(result.pattern == ADAHOP_PATTERN_NONE);
  REQUIRE(__builtin_bit_cast(uint64_t, cols[63]) == 0x7FF8000000000000u);
  require_ok(hip_cpu().pattern, adahop_pattern_args{&p, view_of(single), nullptr, cols.data(), &result});
  REQUIRE(result.pattern == ADAHOP_PATTERN_NONE);
  REQUIRE(__builtin_bit_cast(uint64_t, cols[0]) == 0x7FF8000000000000u);
  REQUIRE(__builtin_bit_cast(uint64_t, result.cv_col) == 0x7FF8000000000000u);
}
