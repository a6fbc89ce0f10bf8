// The BF16 product under seq_fma: panels widened to FP32, and the register tile. Implements SPEC 2.7, 10.9.
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/avx512/transpose_tile.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kRows = kBf16TileRows, kVectors = kBf16TileColumns / 16;
constexpr int64_t kAhead = 96;  // elements

}  // namespace

void gemm_pack_bf16__avx512(const uint16_t* x, int64_t stride, int64_t count, int64_t depth, int64_t width,
                            float* panel) {
  const __m512i high_half = _mm512_set1_epi32(static_cast<int32_t>(0xFFFF0000u));
  for (int64_t k = 0; k < depth; k += 32) {
    const int64_t n = depth - k < 32 ? depth - k : 32;
    const __mmask32 present = n == 32 ? 0xFFFFFFFFu : (1u << n) - 1;
    for (int64_t first = 0; first < width; first += 16) {
      // Word j of a row is its elements k + 2j, below, and k + 2j + 1.
      __m512i pairs[16];
      for (int64_t i = 0; i < 16; ++i) {
        const uint16_t* const row = x + (first + i) * stride + k;
        pairs[i] = first + i < count ? _mm512_maskz_loadu_epi16(present, row) : _mm512_setzero_si512();
        // So many rows at once are more than the processor follows by itself.
        if (first + i < count && k + kAhead < depth)
          _mm_prefetch(reinterpret_cast<const char*>(row + kAhead), _MM_HINT_T0);
      }
      transpose_tile(pairs);
      const auto lines = static_cast<__mmask16>(width - first < 16 ? (1u << (width - first)) - 1 : 0xFFFFu);
      float* const out = panel + k * width + first;
      for (int64_t j = 0; j < 16; ++j) {
        if (2 * j < n) _mm512_mask_storeu_epi32(out + 2 * j * width, lines, _mm512_slli_epi32(pairs[j], 16));
        if (2 * j + 1 < n)
          _mm512_mask_storeu_epi32(out + (2 * j + 1) * width, lines, _mm512_and_si512(pairs[j], high_half));
      }
    }
  }
}

void gemm_bf16_tile__avx512(const float* a, const float* b, int64_t depth, float* tile) {
  __m512 acc[kRows][kVectors];
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm512_loadu_ps(tile + (r * kVectors + v) * 16);
#pragma GCC unroll 2
  for (int64_t k = 0; k < depth; ++k) {
    __m512 columns[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) columns[v] = _mm512_load_ps(b + k * kBf16TileColumns + 16 * v);
    for (int64_t r = 0; r < kRows; ++r) {
      const __m512 row = _mm512_set1_ps(a[k * kRows + r]);
      for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm512_fmadd_ps(row, columns[v], acc[r][v]);
    }
  }
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_ps(tile + (r * kVectors + v) * 16, acc[r][v]);
}

}  // namespace adahop::reference::simd
