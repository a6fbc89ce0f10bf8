// |v| / scale as an exact pair of integers, from which every element rounding is decided. Implements SPEC 5.8.
#pragma once
#include "adahop/formats/e8m0.h"

namespace adahop::reference {

/// significand * 2^exponent, significand below 2^24; the exponent lies between -276 and 231.
struct quotient {
  uint64_t significand;
  int32_t exponent;
};

/// |v| / scale for a finite v and a scale that is not NaN.
constexpr quotient magnitude_over(float v, e8m0 scale) {
  const uint32_t magnitude = bits_of(v) & 0x7FFFFFFFu;
  const uint32_t field = magnitude >> 23;
  // |v| = significand * 2^(max(field, 1) - 150); a subnormal lacks the implicit bit.
  const uint64_t significand = field == 0 ? magnitude : (magnitude & 0x007FFFFFu) | 0x00800000u;
  const int32_t exponent = static_cast<int32_t>(field == 0 ? 1 : field) - 150;
  return {significand, exponent - (static_cast<int32_t>(byte_of(scale)) - kE8m0Bias)};
}

/// The sign of q - bound_x4 / 4, exactly: -1, 0 or 1. bound_x4 is 1..31.
constexpr int compare(const quotient& q, uint32_t bound_x4) {
  const int32_t shift = q.exponent + 2;  // 4 q = significand * 2^shift
  if (q.significand == 0) return -1;
  if (shift >= 5) return 1;     // at least 32, above every bound
  if (shift <= -24) return -1;  // significand < 2^24, so below 1
  const uint64_t left = shift >= 0 ? q.significand << shift : q.significand;
  const uint64_t right = shift >= 0 ? bound_x4 : uint64_t{bound_x4} << -shift;
  return left < right ? -1 : left > right ? 1 : 0;
}

/// floor(q * 2^power); the result must be below 2^63.
constexpr uint64_t floor_times_power(const quotient& q, int32_t power) {
  const int32_t shift = q.exponent + power;
  if (q.significand == 0 || shift <= -24) return 0;  // significand < 2^24
  return shift >= 0 ? q.significand << shift : q.significand >> -shift;
}

}  // namespace adahop::reference
