// The certificate: one unit 2^q for all numbers, and a sum of magnitudes that leaves every model room to be exact.
// Implements SPEC 10.20, 10.21.
#include "reference/certificate.h"

#include <algorithm>
#include <bit>

#include "reference/accumulate/aligned_sum.h"
#include "reference/parallel.h"

namespace adahop::reference {
namespace {

constexpr int kSmallestUnit = -149;  // of FP32
constexpr int kOverflowExponent = 128;
// Bits of a certified sum above its unit. An aligned addition keeps 24 bits below the largest field exponent, which
// lies above the number's own exponent by up to 2 for E2M1 products and by up to 7 for each subnormal operand of BF16.
constexpr int kMxBits = 23;
constexpr int kBf16NormalBits = 24;
constexpr int kBf16Bits = 18;

// magnitude * 2^exponent, magnitude odd, or 0.
struct odd_number {
  uint64_t magnitude;
  int exponent;
};

odd_number odd_part(int64_t significand, int exponent) {
  if (significand == 0) return {0, 0};
  const uint64_t magnitude = static_cast<uint64_t>(significand < 0 ? -significand : significand);
  const int zeros = std::countr_zero(magnitude);
  return {magnitude >> zeros, exponent + zeros};
}

odd_number odd_part(const product& p) { return odd_part(p.significand, p.exponent - kProductFractionBits); }

// Whether all numbers are multiples of 2^q for some q >= -149 and their magnitudes sum to less than
// min(2^(q + bits), 2^128). number(i) for i in [0, count). The largest such q is the best one.
template <class Number>
bool fits(int64_t count, int bits, const Number& number) {
  int q = kNoExponent;
  for (int64_t i = 0; i < count; ++i)
    if (const odd_number v = number(i); v.magnitude != 0) q = q == kNoExponent ? v.exponent : std::min(q, v.exponent);
  if (q == kNoExponent) return true;  // nothing but zeros
  if (q < kSmallestUnit || q >= kOverflowExponent) return false;
  const int room = std::min(bits, kOverflowExponent - q);
  uint64_t sum = 0;  // in units of 2^q, below 2^24 while it fits
  for (int64_t i = 0; i < count; ++i) {
    const odd_number v = number(i);
    if (v.magnitude == 0) continue;
    if (v.exponent - q >= room) return false;
    sum += v.magnitude << (v.exponent - q);
    if (sum >> room != 0) return false;
  }
  return true;
}

bool is_admitted(float c) { return (bits_of(c) & 0x7F800000u) != 0x7F800000u && bits_of(c) != 0x80000000u; }

odd_number odd_part(float c) {
  const accumulator_parts parts = split_accumulator(c);
  return odd_part(parts.significand, parts.exponent - 23);
}

}  // namespace

bool certified(const mx_rows& rows, float c) {
  if (rows.has_nan_scale() || !is_admitted(c)) return false;
  const int64_t k = rows.blocks * kBlockSize;
  return fits(k + 1, kMxBits, [&](int64_t i) { return i == k ? odd_part(c) : odd_part(rows.product_at(i)); });
}

bool certified(const bf16_rows& rows, float c) {
  if (!is_admitted(c)) return false;
  const auto subnormal = [](bf16 v) { return (v.bits & 0x7F80u) == 0; };
  bool all_normal = true;
  for (int64_t i = 0; i < rows.k; ++i) {
    const bf16 a = rows.a_at(i), b = rows.b_at(i);
    if (!is_finite(a) || !is_finite(b)) return false;
    if (product_of(a, b).significand != 0 && (subnormal(a) || subnormal(b))) all_normal = false;
  }
  return fits(rows.k + 1, all_normal ? kBf16NormalBits : kBf16Bits,
              [&](int64_t i) { return i == rows.k ? odd_part(c) : odd_part(product_of(rows.a_at(i), rows.b_at(i))); });
}

matrix<uint8_t> certify(const adahop_mx& a, const adahop_mx& b) {
  matrix<uint8_t> out(a.outer, b.outer);
  for_each_index(out.rows * out.cols, a.inner, [&](int64_t i) {
    out.data[static_cast<size_t>(i)] = certified(mx_rows(a, i / out.cols, b, i % out.cols)) ? 1 : 0;
  });
  return out;
}

matrix<uint8_t> certify_bf16(const adahop_view& a, const adahop_view& b) {
  matrix<uint8_t> out(a.rows, b.rows);
  for_each_index(out.rows * out.cols, a.cols, [&](int64_t i) {
    out.data[static_cast<size_t>(i)] = certified(bf16_rows(a, i / out.cols, b, i % out.cols)) ? 1 : 0;
  });
  return out;
}

}  // namespace adahop::reference
