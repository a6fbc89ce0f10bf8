// FP32 blocks to MXFP4 under RNE: the scale bytes of eight blocks, and the codes of one. Implements SPEC 5.1-5.13 for
// AVX2.
//
// The quotient |v| / scale and the decision of its ties are one multiplication, by 2^(127 - byte) * (1 + 2^-23). With m
// the fraction of v's significand, 0 <= m < 1, the product is the quotient and 1 + m units in its last place; the 1 + m
// is rounded to 1 where m < 0.5 and to 2 where m >= 0.5 (at 0.5 the tie goes to the even significand, the upper one).
// Two units less, as integers, then leave the quotient one unit lower where m < 0.5 and itself where m >= 0.5. And that
// is how midpoints tie: 0.25, 1.25, 2.5 and 5, with m = 0 or 0.25, go down; 0.75, 1.75 and 3.5, with m = 0.5 or 0.75,
// go up. (One unit below a power of two the result is one unit lower than that; no midpoint is near.) It holds for
// every scale, since 2^(127 - byte) is a normal number for bytes 0 to 253, and for a subnormal v, whose quotient is
// normal or of no account, being far below 0.25.
#pragma once
#include "reference/simd/avx2/quantize_lanes.h"

namespace adahop::reference::simd {
namespace {

constexpr int32_t kHalfBits = 0x3F000000;  // 0.5

[[gnu::always_inline]] inline __m256 magnitude_of(__m256 v) {
  return _mm256_and_ps(v, _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF)));
}

/// In each lane the bits of the largest magnitude of some of a block's values.
[[gnu::always_inline]] inline __m256i largest_of_lanes(const float* x) {
  __m256i bits[4];
  for (int i = 0; i < 4; ++i) bits[i] = _mm256_castps_si256(magnitude_of(_mm256_loadu_ps(x + 8 * i)));
  return _mm256_max_epi32(_mm256_max_epi32(bits[0], bits[1]), _mm256_max_epi32(bits[2], bits[3]));
}

/// Lane i: the bits of the amax of block i of eight.
[[gnu::always_inline]] inline __m256i amax_of_8(const float* x) {
  __m256i fours[4], pairs[2];
  for (int i = 0; i < 4; ++i) {  // of block i to the lower, of block i + 4 to the upper 128 bits
    const __m256i a = largest_of_lanes(x + kBlock * i), b = largest_of_lanes(x + kBlock * (i + 4));
    fours[i] = _mm256_max_epi32(_mm256_permute2x128_si256(a, b, 0x20), _mm256_permute2x128_si256(a, b, 0x31));
  }
  for (int i = 0; i < 2; ++i) {  // lanes 0 and 2 of block 2 i, lanes 1 and 3 of block 2 i + 1
    const __m256i a = fours[2 * i], b = fours[2 * i + 1];
    pairs[i] = _mm256_max_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
  }
  return _mm256_max_epi32(_mm256_unpacklo_epi64(pairs[0], pairs[1]), _mm256_unpackhi_epi64(pairs[0], pairs[1]));
}

/// 2^(127 - byte) * (1 + 2^-23), as bits.
[[gnu::always_inline]] inline __m256i factors_of(__m256i bytes) {
  return _mm256_sub_epi32(_mm256_set1_epi32(0x7F000001), _mm256_slli_epi32(bytes, 23));
}

/// The codes of a block as words of two, its 8-byte groups of four elements in the order 0 2 4 6 | 1 3 5 7.
[[gnu::always_inline]] inline __m256i encode_block(const float* x, __m256 factor) {
  __m256i bits[4], rungs[4];
  for (int i = 0; i < 4; ++i) {
    const __m256 v = _mm256_loadu_ps(x + 8 * i);
    bits[i] = _mm256_castps_si256(v);
    const __m256i quotient = _mm256_castps_si256(_mm256_mul_ps(magnitude_of(v), factor));
    rungs[i] = _mm256_srai_epi32(_mm256_sub_epi32(quotient, _mm256_set1_epi32(kHalfBits + 2)), 21);
  }
  // Saturation keeps signs: -0 is the least integer.
  return code_pairs(
      _mm256_packs_epi16(_mm256_packs_epi32(rungs[0], rungs[1]), _mm256_packs_epi32(rungs[2], rungs[3])),
      _mm256_packs_epi16(_mm256_packs_epi32(bits[0], bits[1]), _mm256_packs_epi32(bits[2], bits[3])));
}

/// 32 bytes of codes of two blocks from the words of encode_block.
[[gnu::always_inline]] inline __m256i join_groups(__m256i first, __m256i second) {
  const __m256i halves = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);  // 0 2 4 6 1 3 5 7
  const __m256i order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm256_shuffle_epi8(halves, order);
}

/// What quantize_run asks for, under RNE.
struct f32_to_nearest {
  /// The codes of eight blocks, their scale bytes in the lanes of `bytes`; gives a bit for each block that again() must
  /// do.
  [[gnu::always_inline]] static uint32_t eight(const float* x, int64_t, __m256i, __m256i bytes, uint8_t* codes) {
    alignas(32) float factor[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(factor), factors_of(bytes));
    for (int i = 0; i < 8; i += 2) {
      const __m256i first = encode_block(x + kBlock * i, _mm256_broadcast_ss(factor + i));
      const __m256i second = encode_block(x + kBlock * (i + 1), _mm256_broadcast_ss(factor + i + 1));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + kCodeBytes * i), join_groups(first, second));
    }
    return 0;
  }
  [[gnu::always_inline]] static void again(const float*, uint8_t, uint8_t*) {}
};

/// Elements above 6 * scale of a finite block.
[[gnu::always_inline]] inline int64_t count_clipped(const float* x, uint8_t byte) {
  const __m256i six = six_scales(_mm256_set1_epi32(byte));
  int64_t count = 0;
  for (int i = 0; i < 4; ++i)
    count += __builtin_popcount(
        lanes_greater(_mm256_castps_si256(magnitude_of(_mm256_loadu_ps(x + 8 * i))), six));
  return count;
}

}  // namespace
}  // namespace adahop::reference::simd
