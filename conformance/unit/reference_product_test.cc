// Matrix products and scatter-add: hand vectors, K = 0, NaN scales, exact integer products, strided outputs.
#include <algorithm>

#include "reference/accumulate/block_rne.h"
#include "reference/bf16_gemm.h"
#include "reference/block_dot.h"
#include "reference/mx_gemm.h"
#include "reference/quantize.h"
#include "reference/round_bf16.h"
#include "reference/scatter_add.h"
#include "reference_support.h"

using namespace adahop;

namespace {

const policy kDefault = default_policy();

mx_matrix random_mx(test::generator& random, int64_t outer, int64_t inner, int low_byte, int high_byte) {
  mx_matrix m(outer, inner);
  for (uint8_t& c : m.codes) c = static_cast<uint8_t>(random.bits());
  for (uint8_t& s : m.scales) s = static_cast<uint8_t>(random.integer(low_byte, high_byte));
  return m;
}

// Element (r, c) of an MX matrix as a double, exact.
double element(const mx_matrix& m, int64_t r, int64_t c) {
  const uint8_t byte = m.codes[static_cast<size_t>(r * m.inner / 2 + c / 2)];
  const uint8_t scale = m.scales[static_cast<size_t>(r * m.inner / 32 + c / 32)];
  return std::ldexp(static_cast<double>(decode_e2m1(unpack_e2m1(byte, static_cast<uint32_t>(c % 2)))), scale - 127);
}

matrix<float> mx_product(const mx_matrix& a, const mx_matrix& b) {
  matrix<float> out(a.outer, b.outer);
  reference::mx_gemm(kDefault, view_of(a), view_of(b), view_of(out));
  return out;
}

}  // namespace

TEST_CASE("an MX product with equal scales is the exact integer product", "[spec:10.1][spec:10.2][spec:10.4]") {
  test::generator random(60);
  for (const int64_t k : {32, 64, 160, 256}) {
    const mx_matrix a = random_mx(random, 7, k, 126, 128), b = random_mx(random, 9, k, 126, 128);
    const matrix<float> c = mx_product(a, b);
    for (int64_t m = 0; m < 7; ++m)
      for (int64_t n = 0; n < 9; ++n) {
        double sum = 0;  // multiples of 2^-4 below 2^16: exact in FP32 in any order
        for (int64_t i = 0; i < k; ++i) sum += element(a, m, i) * element(b, n, i);
        REQUIRE(bits_of(c.at(m, n)) == bits_of(static_cast<float>(sum)));
      }
  }
}

TEST_CASE("blocks are added in ascending k, one rounding each", "[spec:10.4][spec:10.5]") {
  test::generator random(61);
  int order_matters = 0;
  const int64_t k = 320;
  const mx_matrix a = random_mx(random, 16, k, 100, 160), b = random_mx(random, 16, k, 100, 160);
  const matrix<float> c = mx_product(a, b);
  for (int64_t m = 0; m < 16; ++m)
    for (int64_t n = 0; n < 16; ++n) {
      const auto sum_in = [&](bool ascending) {
        float acc = 0;
        for (int64_t step = 0; step < k / 32; ++step) {
          const int64_t block = ascending ? step : k / 32 - 1 - step;
          double term = 0;  // at most 13 bits: exact
          for (int64_t i = 32 * block; i < 32 * block + 32; ++i) term += element(a, m, i) * element(b, n, i);
          acc = static_cast<float>(static_cast<double>(acc) + term);
        }
        return bits_of(acc);
      };
      REQUIRE(bits_of(c.at(m, n)) == sum_in(true));
      order_matters += sum_in(true) != sum_in(false) ? 1 : 0;
    }
  CHECK(order_matters > 20);
}

TEST_CASE("a NaN scale byte in any block makes the output NaN", "[spec:10.3][spec:1.4]") {
  test::generator random(62);
  for (int64_t bad = 0; bad < 3; ++bad) {
    mx_matrix a = random_mx(random, 2, 96, 120, 130), b = random_mx(random, 2, 96, 120, 130);
    std::fill(a.codes.begin(), a.codes.end(), uint8_t{0});
    a.scales[static_cast<size_t>(bad)] = 0xFF;       // row 0 of a
    b.scales[static_cast<size_t>(3 + bad)] = 0xFF;   // row 1 of b
    const matrix<float> c = mx_product(a, b);
    CHECK(bits_of(c.at(0, 0)) == kCanonicalNan);
    CHECK(bits_of(c.at(0, 1)) == kCanonicalNan);
    CHECK(bits_of(c.at(1, 0)) == 0u);
    CHECK(bits_of(c.at(1, 1)) == kCanonicalNan);
    matrix<bf16> narrow(2, 2);
    reference::mx_gemm(kDefault, view_of(a), view_of(b), view_of(narrow));
    CHECK(narrow.at(0, 0).bits == kCanonicalNanBf16);
  }
}

TEST_CASE("Inf stays Inf under finite terms", "[spec:10.6]") {
  mx_matrix a(1, 64), b(1, 64);
  std::fill(a.codes.begin(), a.codes.begin() + 16, uint8_t{0x77});
  std::fill(a.codes.begin() + 16, a.codes.end(), uint8_t{0xFF});
  std::fill(b.codes.begin(), b.codes.end(), uint8_t{0x77});
  std::fill(a.scales.begin(), a.scales.end(), uint8_t{254});
  std::fill(b.scales.begin(), b.scales.end(), uint8_t{254});
  // The exact sum of both blocks is 0.
  CHECK(mx_product(a, b).at(0, 0) == test::kInf);
}

TEST_CASE("K = 0 gives +0", "[spec:10.7]") {
  matrix<float> out(3, 4);
  std::fill(out.data.begin(), out.data.end(), 5.0f);
  reference::mx_gemm(kDefault, view_of(mx_matrix(3, 0)), view_of(mx_matrix(4, 0)), view_of(out));
  for (const float v : out.data) CHECK(bits_of(v) == 0u);
  matrix<bf16> narrow(3, 4);
  std::fill(narrow.data.begin(), narrow.data.end(), bf16{0x4040});
  reference::bf16_gemm(kDefault, view_of(matrix<bf16>(3, 0)), view_of(matrix<bf16>(4, 0)), view_of(narrow));
  for (const bf16 v : narrow.data) CHECK(v.bits == 0u);
}

TEST_CASE("BF16 output is the FP32 output rounded once more", "[spec:10.8]") {
  test::generator random(63);
  const mx_matrix a = random_mx(random, 20, 96, 110, 140), b = random_mx(random, 30, 96, 110, 140);
  const matrix<bf16> p = test::random_bf16(random, 20, 50), q = test::random_bf16(random, 30, 50);
  matrix<float> wide(20, 30), wide_bf16(20, 30);
  matrix<bf16> narrow(20, 30), narrow_bf16(20, 30);
  reference::mx_gemm(kDefault, view_of(a), view_of(b), view_of(wide));
  reference::mx_gemm(kDefault, view_of(a), view_of(b), view_of(narrow));
  reference::bf16_gemm(kDefault, view_of(p), view_of(q), view_of(wide_bf16));
  reference::bf16_gemm(kDefault, view_of(p), view_of(q), view_of(narrow_bf16));
  for (size_t i = 0; i < wide.data.size(); ++i) {
    CHECK(narrow.data[i].bits == reference::round_bf16(wide.data[i]).bits);
    CHECK(narrow_bf16.data[i].bits == reference::round_bf16(wide_bf16.data[i]).bits);
  }
}

TEST_CASE("the BF16 product is a chain of fma in ascending k", "[spec:10.9][spec:1.4]") {
  // C = 2^24 from the first product, then 1 twice: each is lost, though their sum would not be.
  matrix<bf16> a(1, 3), b(1, 3);
  a.data = {test::exact_bf16(0x1p12f), test::exact_bf16(1), test::exact_bf16(1)};
  b.data = {test::exact_bf16(0x1p12f), test::exact_bf16(1), test::exact_bf16(1)};
  matrix<float> out(1, 1);
  reference::bf16_gemm(kDefault, view_of(a), view_of(b), view_of(out));
  CHECK(out.at(0, 0) == 16777216.0f);
  std::reverse(a.data.begin(), a.data.end());
  std::reverse(b.data.begin(), b.data.end());
  reference::bf16_gemm(kDefault, view_of(a), view_of(b), view_of(out));
  CHECK(out.at(0, 0) == 16777218.0f);
  // F20: subnormal operands count.
  a.data = {{0x0008}, {0}, {0}};
  b.data = {test::exact_bf16(1024), {0}, {0}};
  reference::bf16_gemm(kDefault, view_of(a), view_of(b), view_of(out));
  CHECK(bits_of(out.at(0, 0)) == 0x03800000u);
  a.data = {{0xFFC1}, {0}, {0}};
  reference::bf16_gemm(kDefault, view_of(a), view_of(b), view_of(out));
  CHECK(bits_of(out.at(0, 0)) == kCanonicalNan);
  // Random rows against the chain written out, over strided views of both operands.
  test::generator random(64);
  const matrix<bf16> p = test::random_bf16(random, 70, 11), q = test::random_bf16(random, 70, 13);
  matrix<float> c(11, 13);
  reference::bf16_gemm(kDefault, transposed(view_of(p)), transposed(view_of(q)), view_of(c));
  for (int64_t m = 0; m < 11; ++m)
    for (int64_t n = 0; n < 13; ++n) {
      float acc = 0;
      for (int64_t k = 0; k < 70; ++k) acc = std::fma(decode_bf16(p.at(k, m)), decode_bf16(q.at(k, n)), acc);
      REQUIRE(bits_of(c.at(m, n)) == bits_of(acc));
    }
}

TEST_CASE("scatter-add at rows and at columns", "[spec:10.10][spec:1.4]") {
  test::generator random(65);
  const matrix<float> c = test::random_f32(random, 9, 12);
  const std::vector<int32_t> chosen = {0, 4, 8};
  const matrix<float> rows = test::random_f32(random, 3, 12), columns = test::random_f32(random, 9, 3);
  matrix<float> left(9, 12), right(9, 12);
  matrix<bf16> narrow(9, 12);
  reference::scatter_add(view_of(c), view_of(rows), chosen, ADAHOP_SIDE_LEFT, view_of(left));
  reference::scatter_add(view_of(c), view_of(columns), chosen, ADAHOP_SIDE_RIGHT, view_of(right));
  reference::scatter_add(view_of(c), view_of(columns), chosen, ADAHOP_SIDE_RIGHT, view_of(narrow));
  for (int64_t m = 0; m < 9; ++m)
    for (int64_t n = 0; n < 12; ++n) {
      const bool row = m % 4 == 0, column = n % 4 == 0 && n <= 8;
      CHECK(left.at(m, n) == (row ? c.at(m, n) + rows.at(m / 4, n) : c.at(m, n)));
      CHECK(right.at(m, n) == (column ? c.at(m, n) + columns.at(m, n / 4) : c.at(m, n)));
      CHECK(narrow.at(m, n).bits == reference::round_bf16(right.at(m, n)).bits);
    }
  // In place, with no indices at all, and with NaNs that are not canonical.
  matrix<float> in_place = c;
  reference::scatter_add(view_of(in_place), view_of(rows), chosen, ADAHOP_SIDE_LEFT, view_of(in_place));
  CHECK(in_place.data == left.data);
  reference::scatter_add(view_of(c), view_of(matrix<float>(0, 12)), {}, ADAHOP_SIDE_LEFT, view_of(left));
  CHECK(left.data == c.data);
  in_place.at(1, 1) = float_of(0xFF800001u);
  in_place.at(4, 4) = float_of(0xFFC00001u);
  reference::scatter_add(view_of(in_place), view_of(rows), chosen, ADAHOP_SIDE_LEFT, view_of(in_place));
  CHECK(bits_of(in_place.at(1, 1)) == kCanonicalNan);
  CHECK(bits_of(in_place.at(4, 4)) == kCanonicalNan);
}
