// Products of E2M1 with scales and of BF16, as exponent and significand. Implements SPEC 10.15.
#include "products.h"

#include "gemm.h"

namespace independent {
namespace {

constexpr long kE2m1MinExponent = 0;
constexpr long kBf16MinExponent = -126;

/// The exponent that the format's field says: of the value if it is normal, the smallest one otherwise.
long field_exponent(const rational& value, long min_exponent) {
  if (value.sign() == 0) return min_exponent;
  const long exponent = value.magnitude().floor_log2();
  return exponent < min_exponent ? min_exponent : exponent;
}

bool is_normal(const rational& value, long min_exponent) {
  return value.sign() != 0 && value.magnitude() >= power_of_two(min_exponent);
}

product product_of(const rational& a, const rational& b, long min_exponent) {
  product p;
  p.exponent = field_exponent(a, min_exponent) + field_exponent(b, min_exponent);
  p.significand = (a * b).scaled(-p.exponent);
  p.both_normal = is_normal(a, min_exponent) && is_normal(b, min_exponent);
  return p;
}

size_t row_start(int row, int length) { return static_cast<size_t>(row) * static_cast<size_t>(length); }

long scale_exponents(const mx_tensor& a, int m, const mx_tensor& b, int n, int block) {
  const size_t at = static_cast<size_t>(block);
  return long{a.scales[row_start(m, a.inner / kBlock) + at]} + long{b.scales[row_start(n, b.inner / kBlock) + at]} -
         254;
}

}  // namespace

bool has_nan_scale(const mx_tensor& a, int m, const mx_tensor& b, int n) {
  for (int block = 0; block < a.inner / kBlock; ++block)
    if (a.scales[row_start(m, a.inner / kBlock) + static_cast<size_t>(block)] == kNanScale ||
        b.scales[row_start(n, b.inner / kBlock) + static_cast<size_t>(block)] == kNanScale)
      return true;
  return false;
}

std::vector<product> mx_products(const mx_tensor& a, int m, const mx_tensor& b, int n) {
  std::vector<product> products;
  for (int k = 0; k < a.inner; ++k) {
    const size_t at = static_cast<size_t>(k);
    product p = product_of(value_of_code(a.codes[row_start(m, a.inner) + at]),
                           value_of_code(b.codes[row_start(n, b.inner) + at]), kE2m1MinExponent);
    p.exponent += scale_exponents(a, m, b, n, k / kBlock);
    products.push_back(std::move(p));
  }
  return products;
}

std::vector<block_pair> mx_blocks(const mx_tensor& a, int m, const mx_tensor& b, int n) {
  std::vector<block_pair> blocks;
  for (int block = 0; block < a.inner / kBlock; ++block) {
    const size_t first = static_cast<size_t>(block * kBlock);
    blocks.push_back({block_dot(&a.codes[row_start(m, a.inner) + first], &b.codes[row_start(n, b.inner) + first]),
                      scale_exponents(a, m, b, n, block)});
  }
  return blocks;
}

product bf16_product(uint32_t a, uint32_t b) {
  if (is_finite(a) && is_finite(b)) return product_of(value_of(a), value_of(b), kBf16MinExponent);
  product p;
  p.both_normal = false;
  p.nonfinite = multiply(a, b);
  return p;
}

std::vector<product> bf16_products(const fp32_matrix& a, int m, const fp32_matrix& b, int n) {
  std::vector<product> products;
  for (int k = 0; k < a.cols; ++k) products.push_back(bf16_product(a.at(m, k), b.at(n, k)));
  return products;
}

}  // namespace independent
