// An MXFP4 block: 32 E2M1 codes in 16 bytes and one E8M0 byte. Decode only. Implements SPEC 2.5, 2.6, 3.1.
#pragma once
#include "adahop/formats/e2m1.h"
#include "adahop/formats/e8m0.h"

namespace adahop {

inline constexpr int32_t kBlockSize = 32;
inline constexpr int32_t kBlockBytes = 16;

/// code x scale as FP32 bits, exact but for overflow, which gives Inf (SPEC 2.6); a NaN scale gives the canonical NaN
/// for every code. Integers only, so that no flush-to-zero mode of the caller can change the result.
ADAHOP_HD constexpr uint32_t decode_element_bits(e2m1 c, e8m0 s) {
  if (is_nan(s)) return kCanonicalNan;
  const uint32_t sign = (code_of(c) & 8u) << 28;
  const uint32_t exponent_field = (code_of(c) >> 1) & 3u;
  const uint32_t half = code_of(c) & 1u;
  if ((code_of(c) & 7u) == 0) return sign;
  // value = significand_x2 * 2^(exponent - 1): 1 * 2^-1 for the subnormal 0.5, else (2|3) * 2^(field - 2).
  const uint32_t significand = exponent_field == 0 ? 2u : 2u | half;  // 0.5 = 2 * 2^-2
  const int32_t exponent = exponent_field == 0 ? -1 : static_cast<int32_t>(exponent_field) - 1;
  const int32_t biased = exponent + static_cast<int32_t>(byte_of(s));  // FP32 exponent field if in 1..254
  const uint32_t mantissa = (significand & 1u) << 22;
  if (biased >= 255) return sign | 0x7F800000u;
  if (biased >= 1) return sign | (static_cast<uint32_t>(biased) << 23) | mantissa;
  // Subnormal result: biased is 0 or -1, so one or two of the 22 trailing zero bits are shifted out, never a one.
  return sign | ((0x00800000u | mantissa) >> (1 - biased));
}

ADAHOP_HD constexpr float decode_element(e2m1 c, e8m0 s) { return float_of(decode_element_bits(c, s)); }

}  // namespace adahop
