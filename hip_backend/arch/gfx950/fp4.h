// FP4 conversions of gfx950 by its own instructions where their result is documented; SPEC 5.8, 5.11-5.13,
// 5.20, 5.21, 2.5, 2.6.
#pragma once
#include "adahop/formats/mx_block.h"
#include "arch/lang.h"

namespace adahop::hip {

/// Codes of 32 finite values over one finite scale byte. The instruction reads only the exponent field of its scale
/// operand and takes field 0 as 2^-127, so byte << 23 is right for byte 0 too.
ADAHOP_DEVICE_FN void encode_fp4_block(const float (&v)[32], uint32_t scale_byte, fp4_block& out) {
  const float scale = float_of(scale_byte << 23);
  ADAHOP_UNROLL
  for (int w = 0; w < 4; ++w) {
    uint32_t word = 0;
    word = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(word, v[8 * w + 0], v[8 * w + 1], scale, 0);
    word = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(word, v[8 * w + 2], v[8 * w + 3], scale, 1);
    word = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(word, v[8 * w + 4], v[8 * w + 5], scale, 2);
    word = __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(word, v[8 * w + 6], v[8 * w + 7], scale, 3);
    out.words[w] = word;
  }
}

/// Codes of 32 finite values under the instruction's own random rounding; word_of(pair) is the word of elements 2 pair
/// and 2 pair + 1. That the hardware rounds as SPEC 5.21 says rests on AMD's host model of it, not on a measurement.
template <class WordOf>
ADAHOP_DEVICE_FN void encode_fp4_block_sr(const float (&v)[32], uint32_t scale_byte, WordOf word_of, fp4_block& out) {
  typedef float float2 __attribute__((ext_vector_type(2)));
  const float scale = float_of(scale_byte << 23);
  const auto pair_of = [&](int pair) { return float2{v[2 * pair], v[2 * pair + 1]}; };
  // clang 22 does not tie the destination to the word that is passed in: what lies beside the byte written is undefined. So
  // each pair goes to the lowest byte of a register of its own.
  const auto codes_of = [&](int pair) {
    return __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f32(0u, pair_of(pair), word_of(pair), scale, 0) & 0xFFu;
  };
  ADAHOP_UNROLL
  for (int w = 0; w < 4; ++w) {
    const int p = 4 * w;
    out.words[w] = codes_of(p) | codes_of(p + 1) << 8 | codes_of(p + 2) << 16 | codes_of(p + 3) << 24;
  }
}

/// The two elements of a byte. The instruction is used where every result is zero or a normal number (0.5 * 2^-125 up
/// to 6 * 2^125); subnormal results, overflow to Inf and byte 0xFF go through integers.
ADAHOP_DEVICE_FN void decode_fp4_pair(uint32_t codes, uint32_t scale_byte, float& even, float& odd) {
  if (scale_byte >= 2 && scale_byte <= 252) {
    typedef float float2 __attribute__((ext_vector_type(2)));
    const float2 pair = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(codes, float_of(scale_byte << 23), 0);
    even = pair.x;
    odd = pair.y;
  } else {
    even = decode_element(e2m1_of(codes), e8m0_of(scale_byte));
    odd = decode_element(e2m1_of(codes >> 4), e8m0_of(scale_byte));
  }
}

}  // namespace adahop::hip
