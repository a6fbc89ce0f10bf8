// Division's instructions, both formats from one text, in integers.
#include "sim/numerics/division.h"

#include "sim/numerics/round.h"

namespace adahop::hip::sim {
namespace {

// What depends on the format: by how much operands are scaled, from which difference of exponent fields on the quotient
// needs it, and up to which field a numerator is tiny.
struct division_format {
  float_format format;
  int scale;
  int far;
  int tiny;
};
// tiny: the manual has 23 for FP32; at 24 the residual's last bit would be below the least subnormal.
constexpr division_format kSingle{kF32, 64, 96, 24};
constexpr division_format kDouble{kF64, 128, 768, 53};

constexpr uint64_t invalid(float_format f) { return f.sign() | f.quiet_nan(); }
constexpr uint64_t quieted(float_format f, uint64_t nan) { return nan | f.quiet_nan(); }

uint64_t times_power_of_two(float_format f, uint64_t bits, int power) {
  const unpacked v = unpack(f, bits);
  if (v.kind == float_class::nan || v.kind == float_class::infinite) return bits;
  return round_to(f, v.negative, v.significand, v.exponent + power);
}

struct scaled {
  uint64_t value;
  bool vcc;
};

scaled div_scale(const division_format& of, uint64_t s0, uint64_t s1, uint64_t s2) {
  const unpacked denominator = unpack(of.format, s1), numerator = unpack(of.format, s2);
  const int apart = numerator.field - denominator.field;
  const bool huge = apart >= of.far, small = apart <= -of.far;
  const bool scales_denominator = s0 == s1;
  int power = 0;
  if (huge) {  // the quotient may overflow: a larger denominator makes it smaller
    power = scales_denominator ? of.scale : 0;
  } else if (denominator.field == 0) {  // subnormal
    power = of.scale;
  } else if (denominator.field >= 2 * of.format.bias() - 1) {  // its reciprocal would be subnormal
    power = small && !scales_denominator ? 0 : -of.scale;
  } else if (small) {  // the quotient may be subnormal: a larger numerator makes it normal
    power = scales_denominator ? 0 : of.scale;
  } else if (numerator.field <= of.tiny) {  // the residual may be subnormal
    power = of.scale;
  }
  if (denominator.kind == float_class::zero || numerator.kind == float_class::zero)
    return {invalid(of.format), huge || small};
  return {times_power_of_two(of.format, s0, power), huge || small};
}

// s0 * s1 + s2 times 2^power of finite operands, rounded once.
uint64_t scaled_fma(float_format f, uint64_t s0, uint64_t s1, uint64_t s2, int power) {
  const unpacked x = unpack(f, s0), y = unpack(f, s1), z = unpack(f, s2);
  wide_uint product = wide_uint{x.significand} * y.significand;  // at most 106 bits
  wide_uint addend = z.significand;
  int product_last = x.exponent + y.exponent, addend_last = z.exponent;
  const bool product_negative = x.negative != y.negative;
  if (product == 0 && addend == 0) return product_negative && z.negative ? f.sign() : 0;
  if (product == 0) return round_to(f, z.negative, addend, addend_last + power);
  if (addend == 0) return round_to(f, product_negative, product, product_last + power);

  // Both to 2^125 at most, then the smaller one to the last place of the larger; what falls off is kept as a lowest bit,
  // far below the format's last place unless nothing falls off.
  const auto raise = [](wide_uint& v, int& last) {
    const int by = 125 - top_bit(v);
    v <<= by;
    last -= by;
  };
  raise(product, product_last);
  raise(addend, addend_last);
  const auto lower = [](wide_uint& v, int by) {
    if (by >= 127)
      v = 1;
    else if (by > 0)
      v = v >> by | ((v & ((wide_uint{1} << by) - 1)) != 0 ? 1u : 0u);
  };
  const int last = product_last > addend_last ? product_last : addend_last;
  lower(product, last - product_last);
  lower(addend, last - addend_last);
  if (product_negative == z.negative) return round_to(f, z.negative, product + addend, last + power);
  if (product == addend) return 0;
  return product > addend ? round_to(f, product_negative, product - addend, last + power)
                          : round_to(f, z.negative, addend - product, last + power);
}

uint64_t div_fmas(const division_format& of, uint64_t s0, uint64_t s1, uint64_t s2, bool vcc) {
  const float_format f = of.format;
  const unpacked x = unpack(f, s0), y = unpack(f, s1), z = unpack(f, s2);
  const auto is = [](const unpacked& v, float_class kind) { return v.kind == kind; };
  for (const uint64_t bits : {s0, s1, s2})
    if (is(unpack(f, bits), float_class::nan)) return quieted(f, bits);
  const bool product_infinite = is(x, float_class::infinite) || is(y, float_class::infinite);
  const bool product_negative = x.negative != y.negative;
  if (product_infinite) {
    const bool times_zero = is(x, float_class::zero) || is(y, float_class::zero);
    if (times_zero || (is(z, float_class::infinite) && z.negative != product_negative)) return invalid(f);
    return (product_negative ? f.sign() : 0) | f.infinity();
  }
  if (is(z, float_class::infinite)) return s2;
  return scaled_fma(f, s0, s1, s2, !vcc ? 0 : z.field > f.bias() ? of.scale : -of.scale);
}

uint64_t div_fixup(float_format f, uint64_t s0, uint64_t s1, uint64_t s2) {
  const unpacked quotient = unpack(f, s0), denominator = unpack(f, s1), numerator = unpack(f, s2);
  const auto is = [](const unpacked& v, float_class kind) { return v.kind == kind; };
  const uint64_t sign = denominator.negative != numerator.negative ? f.sign() : 0;
  if (is(numerator, float_class::nan)) return quieted(f, s2);
  if (is(denominator, float_class::nan)) return quieted(f, s1);
  if (is(denominator, float_class::zero) && is(numerator, float_class::zero)) return invalid(f);
  if (is(denominator, float_class::infinite) && is(numerator, float_class::infinite)) return invalid(f);
  if (is(denominator, float_class::zero) || is(numerator, float_class::infinite)) return sign | f.infinity();
  if (is(denominator, float_class::infinite) || is(numerator, float_class::zero)) return sign;
  if (numerator.field - denominator.field < -(f.bias() + f.fraction_bits)) return sign;
  if (is(quotient, float_class::nan) || is(quotient, float_class::infinite)) return sign | f.infinity();
  return sign | (s0 & ~f.sign());
}

// The magnitude of a finite result other than zero, moved along the numbers of its format without leaving them.
uint64_t move_ulps(float_format f, uint64_t bits, int32_t ulps) {
  const auto magnitude = static_cast<int64_t>(bits & ~f.sign());
  const auto infinity = static_cast<int64_t>(f.infinity());
  if (magnitude == 0 || magnitude >= infinity) return bits;
  int64_t moved = magnitude + ulps;
  if (moved < 1) moved = 1;
  if (moved >= infinity) moved = infinity - 1;
  return (bits & f.sign()) | static_cast<uint64_t>(moved);
}

// 1 / x, correctly rounded, x finite and not zero: an integer division with a sticky bit.
uint64_t reciprocal(float_format f, uint64_t bits) {
  const unpacked v = unpack(f, bits);
  if (v.kind == float_class::nan) return quieted(f, bits);
  const uint64_t sign = v.negative ? f.sign() : 0;
  if (v.kind == float_class::zero) return sign | f.infinity();
  if (v.kind == float_class::infinite) return sign;
  const wide_uint one = wide_uint{1} << 126;
  return round_to(f, v.negative, one / v.significand, -126 - v.exponent, one % v.significand != 0);
}

}  // namespace

scaled_f32 div_scale_f32(uint32_t s0, uint32_t s1, uint32_t s2) {
  const scaled out = div_scale(kSingle, s0, s1, s2);
  return {static_cast<uint32_t>(out.value), out.vcc};
}

scaled_f64 div_scale_f64(uint64_t s0, uint64_t s1, uint64_t s2) {
  const scaled out = div_scale(kDouble, s0, s1, s2);
  return {out.value, out.vcc};
}

uint32_t div_fmas_f32(uint32_t s0, uint32_t s1, uint32_t s2, bool vcc) {
  return static_cast<uint32_t>(div_fmas(kSingle, s0, s1, s2, vcc));
}

uint64_t div_fmas_f64(uint64_t s0, uint64_t s1, uint64_t s2, bool vcc) { return div_fmas(kDouble, s0, s1, s2, vcc); }

uint32_t div_fixup_f32(uint32_t s0, uint32_t s1, uint32_t s2) { return static_cast<uint32_t>(div_fixup(kF32, s0, s1, s2)); }

uint64_t div_fixup_f64(uint64_t s0, uint64_t s1, uint64_t s2) { return div_fixup(kF64, s0, s1, s2); }

uint32_t rcp_f32(uint32_t s0, const division_options& options) {
  return static_cast<uint32_t>(move_ulps(kF32, reciprocal(kF32, s0), options.reciprocal_ulps));
}

uint64_t rcp_f64(uint64_t s0, const division_options& options) {
  return move_ulps(kF64, reciprocal(kF64, s0), options.reciprocal_ulps);
}

}  // namespace adahop::hip::sim
