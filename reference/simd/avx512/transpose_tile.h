// A 16 x 16 tile of 32-bit elements transposed in registers: 64 shuffles.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

/// Lane j of row[i] becomes lane i of row[j].
inline __attribute__((always_inline)) void transpose_tile(__m512i (&row)[16]) {
  __m512i pair[16], quad[16];
  for (int i = 0; i < 16; i += 2) {
    pair[i] = _mm512_unpacklo_epi32(row[i], row[i + 1]);
    pair[i + 1] = _mm512_unpackhi_epi32(row[i], row[i + 1]);
  }
  // 128-bit lane q of quad[4g + j]: column 4q + j of the rows 4g to 4g + 3.
  for (int i = 0; i < 16; i += 4) {
    quad[i] = _mm512_unpacklo_epi64(pair[i], pair[i + 2]);
    quad[i + 1] = _mm512_unpackhi_epi64(pair[i], pair[i + 2]);
    quad[i + 2] = _mm512_unpacklo_epi64(pair[i + 1], pair[i + 3]);
    quad[i + 3] = _mm512_unpackhi_epi64(pair[i + 1], pair[i + 3]);
  }
  // For each j, the 4 x 4 transpose of 128-bit lanes: lanes 0 and 2 (0x88), 1 and 3 (0xDD) of both operands.
  for (int j = 0; j < 4; ++j) {
    const __m512i even_low = _mm512_shuffle_i32x4(quad[j], quad[4 + j], 0x88);
    const __m512i odd_low = _mm512_shuffle_i32x4(quad[j], quad[4 + j], 0xDD);
    const __m512i even_high = _mm512_shuffle_i32x4(quad[8 + j], quad[12 + j], 0x88);
    const __m512i odd_high = _mm512_shuffle_i32x4(quad[8 + j], quad[12 + j], 0xDD);
    row[j] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
    row[4 + j] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
    row[8 + j] = _mm512_shuffle_i32x4(even_low, even_high, 0xDD);
    row[12 + j] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xDD);
  }
}

}  // namespace
}  // namespace adahop::reference::simd
