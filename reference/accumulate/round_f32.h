// One rounding of an integer times a power of two to FP32: nearest, ties to even, subnormals kept, overflow to Inf.
// Every integer model of an accumulation ends here. Implements the RNE_FP32 of SPEC 10.4, 10.5.
#pragma once
#include <bit>
#include <cstdint>

namespace adahop::reference {

/// v shifted right by n >= 0; the last bit of the result is 1 if any bit was lost ("sticky").
constexpr uint64_t shift_right_sticky(uint64_t v, int n) {
  if (n == 0) return v;
  if (n > 63) return v != 0 ? 1 : 0;
  return (v >> n) | ((v << (64 - n)) != 0 ? 1 : 0);
}

/// The FP32 bits of RNE(magnitude * 2^exponent) with the given sign; magnitude is not 0. If magnitude ends in a sticky
/// bit it must have at least 26 significant bits, so that the sticky bit lies below the rounding bit.
constexpr uint32_t round_f32(bool negative, uint64_t magnitude, int exponent) {
  const uint32_t sign = negative ? 0x80000000u : 0u;
  const int top = 63 - std::countl_zero(magnitude);  // magnitude in [2^top, 2^(top+1))
  // The unit in the last place is 2^(e - 23) of the leading exponent e, and never below 2^-149.
  const int leading = top + exponent;
  const int ulp = leading >= -126 ? leading - 23 : -149;
  const int drop = ulp - exponent;
  if (leading > 127) return sign | 0x7F800000u;
  if (drop <= 0) {  // exact: fewer than 24 bits, no rounding
    const uint32_t significand = static_cast<uint32_t>(magnitude << -drop);
    const uint32_t field = leading >= -126 ? static_cast<uint32_t>(leading + 127) : 0u;
    return sign | (field << 23) | (significand & 0x007FFFFFu);
  }
  // Keep two bits below the last place: the half and everything under it.
  const uint64_t with_guard = drop >= 2 ? shift_right_sticky(magnitude, drop - 2) : magnitude << 1;
  uint32_t significand = static_cast<uint32_t>(with_guard >> 2);
  const uint32_t guard = static_cast<uint32_t>(with_guard & 3);
  if (guard == 3 || (guard == 2 && (significand & 1) == 1)) ++significand;
  // Adding the significand, implicit bit included, onto the field below lets a carry reach the exponent, Inf included.
  const uint32_t field = leading >= -126 ? static_cast<uint32_t>(leading + 126) : 0u;
  return sign | ((field << 23) + significand);
}

}  // namespace adahop::reference
