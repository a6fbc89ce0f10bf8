// The certificate, with the best q there is. Implements SPEC 10.20, 10.21.
#include "certificate.h"

#include <algorithm>
#include <limits>

namespace independent {
namespace {

constexpr uint32_t kMinusZero = kSignBit;
constexpr long kLowestBit = -149;

/// For the best q: the largest of which all non-zero values are multiples, since the limit grows with q.
bool certified(const std::vector<product>& products, uint32_t c, long headroom) {
  if (!is_finite(c) || c == kMinusZero) return false;
  long q = std::numeric_limits<long>::max();
  rational sum;
  const auto note = [&](const rational& value) {
    if (value.sign() == 0) return;
    q = std::min(q, value.lowest_bit());
    sum = sum + value.magnitude();
  };
  note(value_of(c));
  for (const product& p : products) note(p.value());
  if (sum.sign() == 0) return true;
  return q >= kLowestBit && sum < power_of_two(std::min(q + headroom, 128L));
}

}  // namespace

bool mx_certified(const mx_tensor& a, int m, const mx_tensor& b, int n, uint32_t c) {
  return !has_nan_scale(a, m, b, n) && certified(mx_products(a, m, b, n), c, 23);
}

bool bf16_certified(const fp32_matrix& a, int m, const fp32_matrix& b, int n, uint32_t c) {
  const std::vector<product> products = bf16_products(a, m, b, n);
  for (const product& p : products)
    if (p.nonfinite) return false;
  const bool normal = std::all_of(products.begin(), products.end(),
                                  [](const product& p) { return p.significand.sign() == 0 || p.both_normal; });
  return certified(products, c, normal ? 24 : 18);
}

}  // namespace independent
