// FP4 conversions in integers for targets without FP4 instructions; SPEC 5.8, 5.11-5.13, 5.20, 5.21, 2.5, 2.6.
#pragma once
#include "adahop/formats/mx_block.h"
#include "arch/scaled_magnitude.h"

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

/// One element as V_CVT_SCALEF32_SR_PK_FP4_F32 is described: below 1 the significand is shifted to halves first, bits
/// dropped; then the top 22 bits of the word are added below the kept bit and the sum is truncated.
ADAHOP_DEVICE_FN uint32_t encode_sr(uint32_t bits, uint32_t scale_byte, uint32_t word) {
  const scaled_magnitude a = scaled_magnitude_of(bits & 0x7FFFFFFFu, scale_byte);
  uint32_t significand = a.significand;
  if (a.exponent < 0) significand = a.exponent > -32 ? significand >> -a.exponent : 0;
  return ((bits >> 31) << 3) | code_of_steps(a.exponent, (significand + (word >> 10)) >> 22);
}

/// Codes of 32 finite values; word_of(pair) is the word of elements 2 pair and 2 pair + 1, stepped by V_PRNG_B32 for
/// the second.
template <class WordOf>
ADAHOP_DEVICE_FN void encode_fp4_block_sr(const float (&v)[32], uint32_t scale_byte, WordOf word_of, fp4_block& out) {
  for (int w = 0; w < 4; ++w) {
    uint32_t codes = 0;
    for (int i = 0; i < 4; ++i) {
      const int pair = 4 * w + i;
      const uint32_t word = word_of(pair);
      const uint32_t stepped = (word << 1) ^ ((word >> 31) != 0 ? 197u : 0u);
      codes |= encode_sr(bits_of(v[2 * pair]), scale_byte, word) << (8 * i);
      codes |= encode_sr(bits_of(v[2 * pair + 1]), scale_byte, stepped) << (8 * i + 4);
    }
    out.words[w] = codes;
  }
}

/// The two elements of a byte.
ADAHOP_DEVICE_FN void decode_fp4_pair(uint32_t codes, uint32_t scale_byte, float& even, float& odd) {
  even = decode_element(e2m1_of(codes), e8m0_of(scale_byte));
  odd = decode_element(e2m1_of(codes >> 4), e8m0_of(scale_byte));
}

}  // namespace adahop::hip
