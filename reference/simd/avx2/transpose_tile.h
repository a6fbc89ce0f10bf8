// An 8 x 8 tile of 32-bit elements transposed in registers: 24 shuffles.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

/// Lane j of row[i] becomes lane i of row[j].
inline __attribute__((always_inline)) void transpose_tile(__m256i (&row)[8]) {
  __m256i pair[8], quad[8];
  for (int i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_epi32(row[i], row[i + 1]);
    pair[i + 1] = _mm256_unpackhi_epi32(row[i], row[i + 1]);
  }
  // 128-bit lane q of quad[4g + j]: column 4q + j of the rows 4g to 4g + 3.
  for (int i = 0; i < 8; i += 4) {
    quad[i] = _mm256_unpacklo_epi64(pair[i], pair[i + 2]);
    quad[i + 1] = _mm256_unpackhi_epi64(pair[i], pair[i + 2]);
    quad[i + 2] = _mm256_unpacklo_epi64(pair[i + 1], pair[i + 3]);
    quad[i + 3] = _mm256_unpackhi_epi64(pair[i + 1], pair[i + 3]);
  }
  for (int j = 0; j < 4; ++j) {
    row[j] = _mm256_permute2x128_si256(quad[j], quad[4 + j], 0x20);
    row[4 + j] = _mm256_permute2x128_si256(quad[j], quad[4 + j], 0x31);
  }
}

}  // namespace
}  // namespace adahop::reference::simd
