// Eight vectors of eight words, transposed, for the panels of the products.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

// Word j of v[i] becomes word i of v[j].
static inline __attribute__((always_inline)) void transpose_8x8(__m256i v[8]) {
  __m256i w[8];
  for (int i = 0; i < 8; i += 4) {
    const __m256i a = _mm256_unpacklo_epi32(v[i], v[i + 1]), b = _mm256_unpackhi_epi32(v[i], v[i + 1]);
    const __m256i c = _mm256_unpacklo_epi32(v[i + 2], v[i + 3]), d = _mm256_unpackhi_epi32(v[i + 2], v[i + 3]);
    w[i] = _mm256_unpacklo_epi64(a, c);
    w[i + 1] = _mm256_unpackhi_epi64(a, c);
    w[i + 2] = _mm256_unpacklo_epi64(b, d);
    w[i + 3] = _mm256_unpackhi_epi64(b, d);
  }
  // Lane l of w[i + j] now holds word 4l + j of vectors i .. i + 3.
  for (int j = 0; j < 4; ++j) {
    v[j] = _mm256_permute2x128_si256(w[j], w[4 + j], 0x20);
    v[4 + j] = _mm256_permute2x128_si256(w[j], w[4 + j], 0x31);
  }
}

// -1 in the first `count` lanes of eight, count 0 .. 8.
static inline __attribute__((always_inline)) __m256i first_lanes(int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int32_t>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace adahop::reference::simd
