// 32 FP32 values as 32 keys of 16 bits, which is all that RNE to E2M1 and the four scale rules can tell apart. For
// AVX-512.
//
// A key is the upper half of the FP32 bits, its last bit set also where the lower half is not zero. Every threshold
// between codes, every threshold of a scale rule and 6 is c * 2^n with c of at most 3 bits, so its lower 21 bits are
// zero: a value is below, on or above it exactly as its key is below, on or above the threshold's key. NaN and Inf stay
// what they are. Keys are kept rotated left by one, magnitude above sign, so that magnitudes compare as unsigned words
// and the sign decides only between equal ones.
#pragma once
#include <immintrin.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBlock = 32;

/// The zero-extended index 2 * lane + offset, lanes of the first vector first: the lower (0) or upper (1) halves.
[[gnu::always_inline]] inline __m512i halves_index(short offset) {
  const __m512i first = _mm512_set_epi16(62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32,  //
                                         30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_add_epi16(first, _mm512_set1_epi16(offset));
}

/// The keys of BF16 values.
[[gnu::always_inline]] inline __m512i keys_of(__m512i bf16) { return _mm512_shldi_epi16(bf16, bf16, 1); }

/// The keys of FP32 values 0 to 15 and 16 to 31.
[[gnu::always_inline]] inline __m512i keys_of(__m512 low, __m512 high) {
  const __m512i first = _mm512_castps_si512(low), second = _mm512_castps_si512(high);
  const __m512i upper = _mm512_permutex2var_epi16(first, halves_index(1), second);
  const __m512i lower = _mm512_permutex2var_epi16(first, halves_index(0), second);
  return keys_of(_mm512_or_si512(upper, _mm512_min_epu16(lower, _mm512_set1_epi16(1))));
}

/// BF16 values 0 to 15 or 16 to 31 as FP32.
template <int kHalf>
[[gnu::always_inline]] inline __m512 extend_bf16(__m512i bf16) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64(bf16, kHalf)), 16));
}

[[gnu::always_inline]] inline __m512i max_of_lower_upper_words(__m512i a, __m512i b) {
  return _mm512_max_epu16(_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b));
}

/// Word i of each 128 bits: the largest word there of k[i].
[[gnu::always_inline]] inline __m512i maxima_of_8(const __m512i (&k)[8]) {
  __m512i pairs[4], fours[2];
  for (int i = 0; i < 4; ++i) pairs[i] = max_of_lower_upper_words(k[2 * i], k[2 * i + 1]);
  for (int i = 0; i < 2; ++i)
    fours[i] = _mm512_max_epu16(_mm512_unpacklo_epi32(pairs[2 * i], pairs[2 * i + 1]),
                                _mm512_unpackhi_epi32(pairs[2 * i], pairs[2 * i + 1]));
  return _mm512_max_epu16(_mm512_unpacklo_epi64(fours[0], fours[1]), _mm512_unpackhi_epi64(fours[0], fours[1]));
}

/// Word 8 g + i: the largest word i among the four 128-bit parts of groups[g], so the largest word of vector 8 g + i.
[[gnu::always_inline]] inline __m512i maxima_of_32(const __m512i (&groups)[4]) {
  __m512i halves[2];
  for (int i = 0; i < 2; ++i)
    halves[i] = _mm512_max_epu16(_mm512_shuffle_i32x4(groups[2 * i], groups[2 * i + 1], 0x44),
                                 _mm512_shuffle_i32x4(groups[2 * i], groups[2 * i + 1], 0xEE));
  return _mm512_max_epu16(_mm512_shuffle_i32x4(halves[0], halves[1], 0x88),
                          _mm512_shuffle_i32x4(halves[0], halves[1], 0xDD));
}

}  // namespace
}  // namespace adahop::reference::simd
