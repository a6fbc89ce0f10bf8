// OCP E2M1, the element of MXFP4: pattern `s eem`, values 0 .5 1 1.5 2 3 4 6 and their negatives, -0
// included, no Inf, no NaN. Decode and packing only; encoding rounds and lives elsewhere. Implements SPEC 2.1, 2.2, 3.2.
#pragma once
#include "adahop/formats/hd.h"

namespace adahop {

/// A 4-bit pattern; never a value.
enum class e2m1 : uint8_t {};

ADAHOP_HD constexpr e2m1 e2m1_of(uint32_t code) { return static_cast<e2m1>(code & 0xFu); }
ADAHOP_HD constexpr uint32_t code_of(e2m1 c) { return static_cast<uint32_t>(c); }

/// Twice the value, an integer in {0,1,2,3,4,6,8,12} and negatives; -0 gives 0.
ADAHOP_HD constexpr int32_t value_x2(e2m1 c) {
  // The eight magnitudes fit in nibbles, so the table is one constant and needs no device memory.
  const int32_t magnitude = static_cast<int32_t>((0xC8643210u >> (4 * (code_of(c) & 7u))) & 0xFu);
  return (code_of(c) & 8u) != 0 ? -magnitude : magnitude;
}

/// The value; code 8 gives -0.0.
ADAHOP_HD constexpr float decode_e2m1(e2m1 c) {
  const float magnitude = 0.5f * static_cast<float>(value_x2(e2m1_of(code_of(c) & 7u)));
  return (code_of(c) & 8u) != 0 ? -magnitude : magnitude;
}

/// Linear packing (SPEC 3.2): element 2i in the low nibble of byte i, element 2i+1 in the high one.
ADAHOP_HD constexpr uint8_t pack_e2m1(e2m1 even, e2m1 odd) {
  return static_cast<uint8_t>(code_of(even) | (code_of(odd) << 4));
}
ADAHOP_HD constexpr e2m1 unpack_e2m1(uint8_t byte, uint32_t index) {
  return e2m1_of(uint32_t{byte} >> (4 * (index & 1u)));
}

}  // namespace adahop
