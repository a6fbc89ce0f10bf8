// An element over its scale as an integer and a power of two, for roundings that look below the kept bits, and the E2M1
// code of what they round to. Implements SPEC 5.8, 2.1.
#pragma once
#include "adahop/formats/e8m0.h"
#include "arch/lang.h"

namespace adahop::hip {

/// |v| / scale = significand * 2^(exponent - 23), exactly; the significand is in [2^23, 2^24), or 0 for a zero.
struct scaled_magnitude {
  uint32_t significand;
  int32_t exponent;
};

/// From the pattern of a finite |v| and a finite scale byte.
ADAHOP_DEVICE_FN scaled_magnitude scaled_magnitude_of(uint32_t magnitude_bits, uint32_t scale_byte) {
  if (magnitude_bits == 0) return {0, 0};
  const int32_t byte = static_cast<int32_t>(scale_byte);
  const int32_t field = static_cast<int32_t>(magnitude_bits >> 23);
  if (field != 0) return {(magnitude_bits & 0x007FFFFFu) | 0x00800000u, field - byte};
  const int32_t shift = __builtin_clz(magnitude_bits) - 8;  // a subnormal: m * 2^-149
  return {magnitude_bits << shift, 1 - shift - byte};
}

/// The code of a value in [2^exponent, 2^(exponent + 1)) that was rounded to `steps` grid steps of that binade, below 1
/// to steps of a half: there and in [1, 2) step n has code n; each further binade begins two codes higher. Above 6 is 6.
ADAHOP_DEVICE_FN uint32_t code_of_steps(int32_t exponent, uint32_t steps) {
  if (exponent <= 0) return steps;
  if (exponent > 2) return 7;
  const uint32_t code = 2 * static_cast<uint32_t>(exponent) + steps;
  return code < 7 ? code : 7;
}

}  // namespace adahop::hip
