// Two blocks of FP32 values in registers to MXFP4 under RNE. Implements SPEC 5.1-5.13 for AVX2.
//
// The quotient |v| / scale and the decision of its ties are one multiplication, by 2^-n (1 + 2^-23). With m the mantissa
// of v as a fraction, that is the quotient and 1 + m units in the last place, rounded to 1 where m < 0.5 and to 2 where
// m >= 0.5 (at 0.5 the sum 1.5 ties to the even mantissa, which is the upper one). Two units less, as integers, leave the
// quotient one unit lower where m < 0.5, and exact where m >= 0.5. That is how midpoints tie: 0.25, 1.25, 2.5 and 5, of
// mantissas 0 and .25, go down; 0.75, 1.75 and 3.5, of mantissas .5 and .75, stay and go up. (Within two units below a
// power of two one unit may be missing, which no midpoint is near.) Everything is exact whatever the scale: 2^(127 - byte) is a
// normal number for all bytes, 0 to 253, a subnormal v has a normal quotient or one of no account, far below 0.25.
#pragma once
#include "reference/simd/avx2/quantize_lanes.h"

namespace adahop::reference::simd {
namespace {

/// Values 8 i to 8 i + 7 in v[i].
struct f32_block {
  __m256 v[4];

  /// The sum of what quantize_pair has counted of such blocks, at most 8 in a lane for each pair.
  static int64_t sum_clipped(__m256i clipped) {
    alignas(32) uint32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), clipped);
    int64_t sum = 0;
    for (const uint32_t lane : lanes) sum += lane;
    return sum;
  }
};

constexpr int32_t kHalfBits = 0x3F000000;  // 0.5
constexpr int32_t kSixBits = 0x40C00000;   // 6

/// Rungs of magnitudes, in the order of packing; counts those above 6 * scale.
[[gnu::always_inline]] inline __m256i rungs_of(const scale_rule& rule, const __m256 (&magnitude)[4], __m256 factor,
                                               __m256i& clipped) {
  __m256i above_half[4];
  for (int i = 0; i < 4; ++i)
    above_half[i] = _mm256_sub_epi32(_mm256_castps_si256(_mm256_mul_ps(magnitude[i], factor)),
                                     _mm256_set1_epi32(kHalfBits + 2));
  if (rule.may_clip) {
    // 6 has mantissa .5, so that at and above it the difference is exact.
    const __m256i six = _mm256_set1_epi32(kSixBits - kHalfBits);
    for (int i = 0; i < 4; ++i) clipped = _mm256_sub_epi32(clipped, _mm256_cmpgt_epi32(above_half[i], six));
  }
  for (int i = 0; i < 4; ++i) above_half[i] = _mm256_srai_epi32(above_half[i], 21);
  return _mm256_packs_epi16(_mm256_packs_epi32(above_half[0], above_half[1]),
                            _mm256_packs_epi32(above_half[2], above_half[3]));
}

/// Bytes that are negative where the sign is set: saturation keeps -0, as the least integer, negative.
[[gnu::always_inline]] inline __m256i signs_of(const f32_block& x) {
  const __m256i low = _mm256_packs_epi32(_mm256_castps_si256(x.v[0]), _mm256_castps_si256(x.v[1]));
  const __m256i high = _mm256_packs_epi32(_mm256_castps_si256(x.v[2]), _mm256_castps_si256(x.v[3]));
  return _mm256_packs_epi16(low, high);
}

[[gnu::always_inline]] inline __m256i largest_of(const __m256 (&magnitude)[4]) {
  const __m256i low = _mm256_max_epi32(_mm256_castps_si256(magnitude[0]), _mm256_castps_si256(magnitude[1]));
  const __m256i high = _mm256_max_epi32(_mm256_castps_si256(magnitude[2]), _mm256_castps_si256(magnitude[3]));
  return _mm256_max_epi32(low, high);
}

/// 32 bytes of codes and 2 scale bytes. False, and nothing written or counted, if a NaN or Inf is among the values.
[[gnu::always_inline]] inline bool quantize_pair(const scale_rule& rule, const f32_block& first,
                                                 const f32_block& second, uint8_t* codes, uint8_t* scales,
                                                 __m256i& clipped) {
  const __m256 mask = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF));
  __m256 a[4], b[4];
  for (int i = 0; i < 4; ++i) a[i] = _mm256_and_ps(first.v[i], mask);
  for (int i = 0; i < 4; ++i) b[i] = _mm256_and_ps(second.v[i], mask);
  const __m256i a_max = largest_of(a), b_max = largest_of(b);
  __m256i amax = _mm256_max_epi32(_mm256_permute2x128_si256(a_max, b_max, 0x20),
                                  _mm256_permute2x128_si256(a_max, b_max, 0x31));
  amax = _mm256_max_epi32(amax, _mm256_shuffle_epi32(amax, 0x4E));
  amax = _mm256_max_epi32(amax, _mm256_shuffle_epi32(amax, 0xB1));
  if (_mm256_movemask_epi8(_mm256_cmpgt_epi32(amax, _mm256_set1_epi32(0x7F7FFFFF))) != 0) [[unlikely]]
    return false;
  const __m256i bytes = scale_bytes(rule, amax);
  store_scales(bytes, scales);
  // 2^(127 - byte) * (1 + 2^-23)
  const __m256i factor = _mm256_sub_epi32(_mm256_set1_epi32(0x7F000001), _mm256_slli_epi32(bytes, 23));
  const __m256i a_rungs = rungs_of(rule, a, _mm256_castsi256_ps(first_half(factor)), clipped);
  const __m256i b_rungs = rungs_of(rule, b, _mm256_castsi256_ps(second_half(factor)), clipped);
  const __m256i both =
      codes_of_split_groups(code_pairs(a_rungs, signs_of(first)), code_pairs(b_rungs, signs_of(second)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), both);
  return true;
}

[[gnu::always_inline]] inline void store_values(const f32_block& x, float* to) {
  for (int i = 0; i < 4; ++i) _mm256_storeu_ps(to + 8 * i, x.v[i]);
}

[[gnu::always_inline]] inline f32_block load_f32_block(const float* x) {
  f32_block block;
  for (int i = 0; i < 4; ++i) block.v[i] = _mm256_loadu_ps(x + 8 * i);
  return block;
}

}  // namespace
}  // namespace adahop::reference::simd
