// What the AVX2 quantizers of FP32 and BF16 blocks share: scale bytes, codes from rungs, the bytes of two blocks.
// Implements SPEC 3.2, 5.2-5.7, 5.11-5.13.
//
// A rung says where |v| / scale lies on a ladder with four rungs to an octave, [0.5, 0.625) being rung 0, and so 6 and
// above rungs 14 and 15. A value that ties down to the lower code counts as just below its rung. No code changes within
// a rung, since every midpoint is 1, 1.25, 1.5 or 1.75 times a power of two.
#pragma once
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBlock = 32;
constexpr int kCodeBytes = 16;

/// The place of the first NaN or Inf among 32 values, -1 if there is none.
inline int64_t first_nonfinite(const float* x) {
  for (int64_t i = 0; i < kBlock; ++i) {
    uint32_t bits;
    memcpy(&bits, x + i, sizeof bits);
    if ((bits & 0x7FFFFFFFu) >= 0x7F800000u) return i;
  }
  return -1;
}

/// The scale rule of a run, in each of the 32-bit lanes.
struct scale_rule {
  __m256i bias;      // the byte is (bits of amax + bias) >> 23, and smallest where that is less
  __m256i smallest;  // min_scale_byte
  bool may_clip;
};

[[gnu::always_inline]] inline scale_rule rule_of(const scale_choice& how) {
  // What carries into the exponent field: nothing, any mantissa but 0, one of 1.75 and above, one above 1.5. The order is
  // that of adahop_scale_rule: floor, ceil, even, rceil. Then 2, the exponent of 4, is taken away.
  constexpr int32_t kCarry[4] = {0, 0x7FFFFF, 0x200000, 0x3FFFFF};
  constexpr int32_t kFloor = 0, kEven = 2;
  return {_mm256_set1_epi32(kCarry[how.rule & 3] - (2 << 23)), _mm256_set1_epi32(how.min_scale_byte),
          how.rule == kFloor || how.rule == kEven};
}

/// Scale bytes from the bits of finite amax. Nothing overflows for NaN either: 0x7FFFFFFF + 0x7FFFFF < 2^31 + 2^24.
[[gnu::always_inline]] inline __m256i scale_bytes(const scale_rule& rule, __m256i amax) {
  return _mm256_max_epi32(_mm256_srai_epi32(_mm256_add_epi32(amax, rule.bias), 23), rule.smallest);
}

/// The lower 128 bits hold the scale of the first block, the upper ones that of the second.
[[gnu::always_inline]] inline void store_scales(__m256i bytes, uint8_t* scales) {
  scales[0] = static_cast<uint8_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(bytes)));
  scales[1] = static_cast<uint8_t>(_mm_cvtsi128_si32(_mm256_extracti128_si256(bytes, 1)));
}

/// Of both halves the first, and the second, twice.
[[gnu::always_inline]] inline __m256i first_half(__m256i v) { return _mm256_permute2x128_si256(v, v, 0x00); }
[[gnu::always_inline]] inline __m256i second_half(__m256i v) { return _mm256_permute2x128_si256(v, v, 0x11); }

/// 32 codes as 16 words, each a byte of two codes, from rungs, saturated to bytes, and from bytes with the values' signs.
[[gnu::always_inline]] inline __m256i code_pairs(__m256i rungs, __m256i signs) {
  // The codes of rungs 0 to 15, less one; a negative rung gives 0. Above 0.25, from rung -4 on, comes the one.
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6));
  const __m256i above_quarter = _mm256_cmpgt_epi8(rungs, _mm256_set1_epi8(-5));
  const __m256i magnitudes = _mm256_sub_epi8(_mm256_shuffle_epi8(table, rungs), above_quarter);
  const __m256i negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signs);
  const __m256i codes = _mm256_or_si256(magnitudes, _mm256_and_si256(negative, _mm256_set1_epi8(8)));
  return _mm256_maddubs_epi16(codes, _mm256_set1_epi16(0x1001));  // even + 16 * odd
}

/// 32 bytes of codes of two blocks whose words stand as 8-byte groups 0 2 4 6 | 1 3 5 7 of four elements each.
[[gnu::always_inline]] inline __m256i codes_of_split_groups(__m256i first, __m256i second) {
  const __m256i halves = _mm256_permute4x64_epi64(_mm256_packus_epi16(first, second), 0xD8);  // 0 2 4 6 1 3 5 7
  const __m256i order =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm256_shuffle_epi8(halves, order);
}

}  // namespace
}  // namespace adahop::reference::simd
