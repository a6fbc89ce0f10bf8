// A finite FP32 number as integers: sign, significand and the exponent of its last place.
#pragma once
#include <cstdint>

#include "adahop/formats/hd.h"

namespace adahop::reference {

/// +-significand * 2^exponent, significand below 2^24; a subnormal and zero have the exponent -149.
struct f32_parts {
  bool negative;
  uint32_t significand;
  int exponent;

  constexpr int64_t signed_significand() const { return negative ? -int64_t{significand} : int64_t{significand}; }
};

constexpr f32_parts split_f32(float finite) {
  const uint32_t bits = bits_of(finite);
  const uint32_t field = (bits >> 23) & 0xFFu, mantissa = bits & 0x007FFFFFu;
  const bool negative = (bits >> 31) != 0;
  if (field == 0) return {negative, mantissa, -149};
  return {negative, mantissa | 0x00800000u, static_cast<int>(field) - 150};
}

}  // namespace adahop::reference
