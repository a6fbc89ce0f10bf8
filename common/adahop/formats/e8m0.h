// OCP E8M0, the scale of an MX block: 2^(byte-127), 0xFF is NaN, there is no zero. Implements SPEC 2.3, 2.4.
#pragma once
#include "adahop/formats/hd.h"

namespace adahop {

/// An 8-bit pattern; never a value.
enum class e8m0 : uint8_t {};

inline constexpr uint8_t kE8m0Nan = 0xFFu;
inline constexpr int32_t kE8m0Bias = 127;

ADAHOP_HD constexpr uint32_t byte_of(e8m0 s) { return static_cast<uint32_t>(s); }
ADAHOP_HD constexpr e8m0 e8m0_of(uint32_t byte) { return static_cast<e8m0>(byte & 0xFFu); }
ADAHOP_HD constexpr bool is_nan(e8m0 s) { return byte_of(s) == kE8m0Nan; }

/// The scale as FP32, exactly. Byte 0 is 2^-127, a subnormal, so `byte << 23` alone would give zero there.
ADAHOP_HD constexpr float decode_e8m0(e8m0 s) {
  if (is_nan(s)) return float_of(kCanonicalNan);
  return byte_of(s) == 0 ? float_of(0x00400000u) : float_of(byte_of(s) << 23);
}

}  // namespace adahop
