// Sixteen FP32 or BF16 values as FP32, and masks of the first lanes; lanes behind the mask are +0 and are not read.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

/// The mask of the first n lanes of 16; n may be negative or above 16.
inline __attribute__((always_inline)) __mmask16 first_lanes(int64_t n) {
  return static_cast<__mmask16>(n >= 16 ? 0xFFFFu : n <= 0 ? 0u : (1u << n) - 1);
}

inline __attribute__((always_inline)) __m512 load_values(const float* x) { return _mm512_loadu_ps(x); }
inline __attribute__((always_inline)) __m512 load_values(const uint16_t* x) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
inline __attribute__((always_inline)) __m512 load_values(const float* x, __mmask16 mask) {
  return _mm512_maskz_loadu_ps(mask, x);
}
inline __attribute__((always_inline)) __m512 load_values(const uint16_t* x, __mmask16 mask) {
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, x)), 16));
}

}  // namespace
}  // namespace adahop::reference::simd
