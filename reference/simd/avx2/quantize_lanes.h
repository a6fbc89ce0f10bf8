// What the AVX2 quantizers share: scale bytes, and codes from rungs. Implements SPEC 3.2, 5.2-5.7, 5.11-5.13.
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

/// The scale rule of a run, in each of the 32-bit lanes.
struct scale_rule {
  __m256i bias;      // the byte is (bits of amax + bias) >> 23, and smallest where that is less
  __m256i smallest;  // min_scale_byte
};

[[gnu::always_inline]] inline scale_rule rule_of(const scale_choice& how) {
  // What carries into the exponent field: nothing, any mantissa but 0, one of .75 and above, one above .5; in the order
  // of adahop_scale_rule, which is floor, ceil, even, rceil. Then 2, the exponent of 4, is taken away.
  constexpr int32_t kCarry[4] = {0, 0x7FFFFF, 0x200000, 0x3FFFFF};
  return {_mm256_set1_epi32(kCarry[how.rule & 3] - (2 << 23)), _mm256_set1_epi32(how.min_scale_byte)};
}

/// Scale bytes from the bits of amax: 0 to 253 where it is finite, else at most 254. (0x7FFFFFFF + 0x7FFFFF - 2^24 is
/// below 2^31.)
[[gnu::always_inline]] inline __m256i scale_bytes(const scale_rule& rule, __m256i amax) {
  return _mm256_max_epi32(_mm256_srai_epi32(_mm256_add_epi32(amax, rule.bias), 23), rule.smallest);
}

/// The bits of 6 * scale; what they are beyond FP32, for byte 253, is above every finite number as well.
[[gnu::always_inline]] inline __m256i six_scales(__m256i bytes) {
  return _mm256_add_epi32(_mm256_slli_epi32(bytes, 23), _mm256_set1_epi32((2 << 23) + 0x400000));
}

/// One bit for each 32-bit lane.
[[gnu::always_inline]] inline uint32_t lanes_greater(__m256i a, __m256i b) {
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))));
}

/// The first NaN or Inf among 32 values that have one.
inline int64_t first_nonfinite(const float* x) {
  for (int64_t i = 0;; ++i) {
    uint32_t bits;
    memcpy(&bits, x + i, sizeof bits);
    if ((bits & 0x7FFFFFFFu) >= 0x7F800000u) return i;
  }
}
inline int64_t first_nonfinite(const uint16_t* x) {
  for (int64_t i = 0;; ++i)
    if ((x[i] & 0x7FFFu) >= 0x7F80u) return i;
}

/// 32 codes as 16 words, each a byte of two codes, from rungs, saturated to bytes, and bytes with the values' signs.
[[gnu::always_inline]] inline __m256i code_pairs(__m256i rungs, __m256i signs) {
  // The codes of rungs 0 to 15, less one; a negative rung gives 0. Above 0.25, from rung -4 on, comes the one.
  const __m256i table = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 6));
  const __m256i above_quarter = _mm256_cmpgt_epi8(rungs, _mm256_set1_epi8(-5));
  const __m256i magnitudes = _mm256_sub_epi8(_mm256_shuffle_epi8(table, rungs), above_quarter);
  const __m256i negative = _mm256_cmpgt_epi8(_mm256_setzero_si256(), signs);
  const __m256i codes = _mm256_or_si256(magnitudes, _mm256_and_si256(negative, _mm256_set1_epi8(8)));
  return _mm256_maddubs_epi16(codes, _mm256_set1_epi16(0x1001));  // even + 16 * odd
}

}  // namespace
}  // namespace adahop::reference::simd
