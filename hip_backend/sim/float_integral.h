// Rounding to an integral value, taking apart and scaling by powers of two, on bit patterns; one rounding where one is needed,
// none otherwise. From the ISA manual's prose; where its pseudocode is meant loosely, said at the function.
#pragma once
#include "sim/float_rules.h"
#include "sim/numerics/round.h"

namespace adahop::hip::sim {

enum class integral : uint8_t { toward_zero, down, up, nearest_even };

/// V_TRUNC, V_FLOOR, V_CEIL, V_RNDNE. The sign is kept, so -0.25 becomes -0 (the manual's "floor(x + 0.5)" of V_RNDNE,
/// literally, would give +0 and round twice). NaNs are quieted.
template <typename F, integral Mode>
constexpr bits_of_format<F> to_integral(bits_of_format<F> x) {
  using u = bits_of_format<F>;
  if (is_nan<F>(x)) return quiet<F>(x);
  const u sign = x & F::kSign, m = magnitude<F>(x);
  const bool negative = sign != 0;
  const int exponent = static_cast<int>(exponent_field<F>(x)) - F::kBias;
  constexpr int kFraction = static_cast<int>(F::kFractionBits);
  if (exponent >= kFraction) return x;  // integral already, or Inf
  if (exponent < 0) {                   // below 1
    bool away = false;
    if constexpr (Mode == integral::down) away = negative && m != 0;
    if constexpr (Mode == integral::up) away = !negative && m != 0;
    if constexpr (Mode == integral::nearest_even) away = m > F::kOne - (u{1} << F::kFractionBits);  // above 1/2
    return sign | (away ? F::kOne : 0);
  }
  const u unit = u{1} << (kFraction - exponent);  // the pattern's step from one integer to the next
  const u rest = m & (unit - 1);
  bool away = false;
  if constexpr (Mode == integral::down) away = negative && rest != 0;
  if constexpr (Mode == integral::up) away = !negative && rest != 0;
  // At exponent 0 the bit of `unit` is the exponent field's last one: the bias is odd, as is the integer 1 it stands for.
  if constexpr (Mode == integral::nearest_even)
    away = rest > unit / 2 || (rest == unit / 2 && (m & unit) != 0);
  return sign | ((m & ~(unit - 1)) + (away ? unit : 0));
}

template <typename F>
constexpr float_format format_of() {
  return {static_cast<int>(F::kFractionBits), F::kExponentMax == f16::kExponentMax   ? 5
                                              : F::kExponentMax == f32::kExponentMax ? 8
                                                                                     : 11};
}

/// V_LDEXP: x * 2^n, rounded once. NaNs are quieted.
template <typename F>
constexpr bits_of_format<F> scale_by_power(bits_of_format<F> x, int32_t n) {
  if (is_nan<F>(x)) return quiet<F>(x);
  if (magnitude<F>(x) == 0 || magnitude<F>(x) == F::kInfinity) return x;
  const unpacked parts = unpack(format_of<F>(), x);
  // Beyond +-4200 every finite number overflows or vanishes, FP64 included.
  const int limited = n > 4200 ? 4200 : n < -4200 ? -4200 : n;
  return static_cast<bits_of_format<F>>(round_to(format_of<F>(), parts.negative, parts.significand, parts.exponent + limited));
}

/// V_FREXP_EXP: n of x = m * 2^n with |m| in [1/2, 1); 0 for 0, Inf and NaN. Subnormals are taken as their value, as LLVM's
/// use of it requires; the pseudocode's exponent field would be too high.
template <typename F>
constexpr int32_t binary_exponent(bits_of_format<F> x) {
  const unpacked parts = unpack(format_of<F>(), x);
  if (parts.kind != float_class::finite) return 0;
  return top_bit(parts.significand) + parts.exponent + 1;
}

/// V_FREXP_MANT: m of it, with x's sign; 0 and Inf as they are, NaNs quieted.
template <typename F>
constexpr bits_of_format<F> binary_significand(bits_of_format<F> x) {
  return scale_by_power<F>(x, -binary_exponent<F>(x));
}

}  // namespace adahop::hip::sim
