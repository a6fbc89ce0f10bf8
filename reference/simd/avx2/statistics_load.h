// Eight FP32 or BF16 values as FP32; the last of a line by way of the stack, so that nothing behind them is read.
#pragma once
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

namespace adahop::reference::simd {
namespace {

inline __attribute__((always_inline)) __m256 load_values(const float* x) { return _mm256_loadu_ps(x); }
inline __attribute__((always_inline)) __m256 load_values(const uint16_t* x) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}

/// The first n elements, then +0; n may be negative or above 8, and x is not read if there are none.
template <class Element>
__m256 load_first_values(const Element* x, int64_t n) {
  if (n >= 8) return load_values(x);
  Element some[8] = {};
  if (n > 0) memcpy(some, x, static_cast<size_t>(n) * sizeof(Element));
  return load_values(some);
}

}  // namespace
}  // namespace adahop::reference::simd
