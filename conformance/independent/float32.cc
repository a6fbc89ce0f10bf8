// FP32 and BF16 on bit patterns through exact rationals. Implements SPEC 1.3, 1.4, 1.5, 2.7, 2.8.
#include "float32.h"

namespace independent {
namespace {

constexpr int kFp32Precision = 24;
constexpr int kBf16Precision = 8;
constexpr long kMinExponent = -126;  // of the smallest normal number, in both formats

/// RNE to a format with 8 exponent bits and `precision` significant bits, as that format's pattern.
uint32_t round_to_format(const rational& x, int precision) {
  const int mantissa_bits = precision - 1;
  const uint32_t infinity = 0xFFu << mantissa_bits;
  const uint32_t sign = x.sign() < 0 ? 1u << (8 + mantissa_bits) : 0u;
  if (x.sign() == 0) return 0;
  const rational magnitude = x.magnitude();
  long exponent = magnitude.floor_log2();
  if (exponent > 127) return sign | infinity;
  if (exponent < kMinExponent) exponent = kMinExponent;
  const long significand = magnitude.scaled(mantissa_bits - exponent).nearest_even();
  // A significand with its top bit is normal and that bit adds one to the field; one that rounded up to
  // 2^precision carries into the next exponent, and above the largest exponent into Inf.
  const uint32_t field = static_cast<uint32_t>(exponent - kMinExponent);
  return sign | ((field << mantissa_bits) + static_cast<uint32_t>(significand));
}

uint32_t infinity_of(bool negative) { return negative ? kSignBit | kInfBits : kInfBits; }
uint32_t zero_of(bool negative) { return negative ? kSignBit : 0u; }

/// The IEEE 754 sum of an exact finite value that carries a sign for zero, and a finite `c`.
uint32_t round_sum(const rational& value, bool negative, uint32_t c) {
  const rational sum = value + value_of(c);
  // An exact zero is negative only if both addends are negative zeros.
  if (sum.sign() == 0) return zero_of(negative && is_negative(c));
  return round_to_fp32(sum);
}

}  // namespace

rational value_of(uint32_t bits) {
  const long field = (bits >> 23) & 0xFF;
  const long mantissa = bits & 0x7FFFFF;
  const long significand = field == 0 ? mantissa : mantissa + 0x800000;
  const long exponent = (field == 0 ? 1 : field) - 150;
  return rational(is_negative(bits) ? -significand : significand).scaled(exponent);
}

uint32_t round_to_fp32(const rational& x) { return round_to_format(x, kFp32Precision); }
uint16_t round_to_bf16(const rational& x) { return static_cast<uint16_t>(round_to_format(x, kBf16Precision)); }

uint16_t bf16_of(uint32_t bits) {
  if (is_nan(bits)) return static_cast<uint16_t>(kNanBits >> 16);
  if (is_inf(bits) || is_zero(bits)) return static_cast<uint16_t>(bits >> 16);
  return round_to_bf16(value_of(bits));
}

uint32_t add(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNanBits;
  if (is_inf(a)) return is_inf(b) && a != b ? kNanBits : a;
  if (is_inf(b)) return b;
  return round_sum(value_of(a), is_negative(a), b);
}

uint32_t subtract(uint32_t a, uint32_t b) { return add(a, b ^ kSignBit); }

uint32_t multiply(uint32_t a, uint32_t b) {
  if (is_nan(a) || is_nan(b)) return kNanBits;
  const bool negative = is_negative(a) != is_negative(b);
  if (is_inf(a) || is_inf(b)) return is_zero(a) || is_zero(b) ? kNanBits : infinity_of(negative);
  if (is_zero(a) || is_zero(b)) return zero_of(negative);
  return round_to_fp32(value_of(a) * value_of(b));
}

uint32_t fused_multiply_add(uint32_t a, uint32_t b, uint32_t c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return kNanBits;
  const bool negative = is_negative(a) != is_negative(b);
  if (is_inf(a) || is_inf(b)) {
    if (is_zero(a) || is_zero(b)) return kNanBits;
    const uint32_t product = infinity_of(negative);
    return is_inf(c) && c != product ? kNanBits : product;
  }
  if (is_inf(c)) return c;
  return round_sum(value_of(a) * value_of(b), negative, c);
}

}  // namespace independent
