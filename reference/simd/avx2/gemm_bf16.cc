// The BF16 product under seq_fma: panels widened to FP32, and the register tile. Implements SPEC 2.7, 10.9.
#include <string.h>

#include "reference/simd/avx2/gemm_lanes.h"
#include "reference/simd/avx2/transpose_tile.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

// The part of the tile that fits the registers.
constexpr int64_t kRows = 6, kVectors = 2, kColumns = 8 * kVectors;

// n <= 8 values from p as FP32, then zeros.
static inline __attribute__((always_inline)) __m256i load_widened(const uint16_t* p, int64_t n) {
  __m128i values;
  if (n == 8) {
    values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  } else {
    alignas(16) uint16_t some[8] = {};
    memcpy(some, p, static_cast<size_t>(n) * sizeof(uint16_t));
    values = _mm_load_si128(reinterpret_cast<const __m128i*>(some));
  }
  return _mm256_slli_epi32(_mm256_cvtepu16_epi32(values), 16);
}

}  // namespace

void gemm_pack_bf16__avx2(const uint16_t* x, int64_t stride, int64_t count, int64_t depth, int64_t width,
                          float* panel) {
  for (int64_t k = 0; k < depth; k += 8) {
    const int64_t n = depth - k < 8 ? depth - k : 8;
    for (int64_t first = 0; first < width; first += 8) {
      __m256i v[8];
      for (int64_t i = 0; i < 8; ++i)
        v[i] = first + i < count ? load_widened(x + (first + i) * stride + k, n) : _mm256_setzero_si256();
      transpose_tile(v);
      const __m256i lines = first_lanes(width - first);
      for (int64_t j = 0; j < 8; ++j)
        if (j < n) _mm256_maskstore_epi32(reinterpret_cast<int*>(panel + (k + j) * width + first), lines, v[j]);
    }
  }
}

void gemm_bf16_tile__avx2(const float* panel_a, const float* panel_b, int64_t depth, float* tile) {
  for (int64_t column = 0; column < kBf16TileColumns; column += kColumns)
    for (int64_t row = 0; row < kBf16TileRows; row += kRows) {
      __m256 acc[kRows][kVectors];
      float* const part = tile + row * kBf16TileColumns + column;
      for (int64_t r = 0; r < kRows; ++r)
        for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm256_loadu_ps(part + r * kBf16TileColumns + 8 * v);
      const float *a = panel_a + row, *b = panel_b + column;
      for (int64_t k = 0; k < depth; ++k, a += kBf16TileRows, b += kBf16TileColumns) {
        __m256 columns[kVectors];
        for (int64_t v = 0; v < kVectors; ++v) columns[v] = _mm256_loadu_ps(b + 8 * v);
        for (int64_t r = 0; r < kRows; ++r) {
          const __m256 of_row = _mm256_broadcast_ss(a + r);
          for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm256_fmadd_ps(of_row, columns[v], acc[r][v]);
        }
      }
      for (int64_t r = 0; r < kRows; ++r)
        for (int64_t v = 0; v < kVectors; ++v) _mm256_storeu_ps(part + r * kBf16TileColumns + 8 * v, acc[r][v]);
    }
}

}  // namespace adahop::reference::simd
