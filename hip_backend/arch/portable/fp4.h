// FP4 conversions in integers for targets without FP4 instructions; SPEC 5.8, 5.11-5.13, 2.5, 2.6.
#pragma once
#include "adahop/formats/mx_block.h"
#include "arch/lang.h"

namespace adahop::hip {

/// The FP32 pattern of quarters * 2^(scale_byte - 129), `quarters` in 1..31. Exact: such a value is a multiple of 2^-129.
/// From 2^128 on the pattern is above every finite one, which is all that a comparison needs.
ADAHOP_DEVICE_FN uint32_t threshold_bits(uint32_t quarters, uint32_t scale_byte) {
  const int32_t top = 31 - __builtin_clz(quarters);
  const uint32_t significand = quarters << (23 - top);
  const int32_t exponent = static_cast<int32_t>(scale_byte) - 2 + top;
  if (exponent >= 1) return (static_cast<uint32_t>(exponent) << 23) + (significand & 0x007FFFFFu);
  return significand >> (1 - exponent);
}

/// Codes of 32 finite values over one finite scale byte. A code is the number of rounding boundaries that |v| / scale
/// passes; "at least b" stands where the tie goes up to the even code, which is "more than b - 1 ulp" on the bits.
ADAHOP_DEVICE_FN void encode_fp4_block(const float (&v)[32], uint32_t scale_byte, fp4_block& out) {
  const uint32_t above[7] = {
      threshold_bits(1, scale_byte),       // 0.25
      threshold_bits(3, scale_byte) - 1,   // 0.75, tie up to 1
      threshold_bits(5, scale_byte),       // 1.25
      threshold_bits(7, scale_byte) - 1,   // 1.75, tie up to 2
      threshold_bits(10, scale_byte),      // 2.5
      threshold_bits(14, scale_byte) - 1,  // 3.5, tie up to 4
      threshold_bits(20, scale_byte),      // 5
  };
  for (int w = 0; w < 4; ++w) {
    uint32_t word = 0;
    for (int i = 0; i < 8; ++i) {
      const uint32_t bits = bits_of(v[8 * w + i]);
      uint32_t code = (bits >> 31) << 3;
      for (const uint32_t boundary : above) code += (bits & 0x7FFFFFFFu) > boundary ? 1u : 0u;
      word |= code << (4 * i);
    }
    out.words[w] = word;
  }
}

/// The two elements of a byte.
ADAHOP_DEVICE_FN void decode_fp4_pair(uint32_t codes, uint32_t scale_byte, float& even, float& odd) {
  even = decode_element(e2m1_of(codes), e8m0_of(scale_byte));
  odd = decode_element(e2m1_of(codes >> 4), e8m0_of(scale_byte));
}

}  // namespace adahop::hip
