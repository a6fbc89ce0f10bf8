// A tile of FP32 results to the output: the NaN of 0xFF scale bytes, the canonical NaN, the rounding to BF16.
// Implements SPEC 1.4, 2.8, 10.3, 10.8.
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr __mmask16 kAll = 0xFFFF;

// `lanes` of sixteen values, canonical.
static inline __attribute__((always_inline)) __m512i finished(const float* values, __mmask16 lanes, __m512i row_nan,
                                                              const uint32_t* col_nan) {
  const __m512i nan = _mm512_or_si512(row_nan, _mm512_maskz_loadu_epi32(lanes, col_nan));
  // With the bits of 0x7FC00000 any value is a NaN.
  const __m512i v = _mm512_or_si512(_mm512_castps_si512(_mm512_maskz_loadu_ps(lanes, values)), nan);
  const __m512 f = _mm512_castsi512_ps(v);
  return _mm512_mask_mov_epi32(v, _mm512_cmp_ps_mask(f, f, _CMP_UNORD_Q), _mm512_set1_epi32(0x7FC00000));
}

// Round to nearest even, 0x7FFF + (last kept bit) added below it: a canonical NaN stays 0x7FC0, finite values carry
// into Inf, Inf stays.
static inline __attribute__((always_inline)) __m256i rounded_bf16(__m512i v) {
  const __m512i last_kept = _mm512_and_si512(_mm512_srli_epi32(v, 16), _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(v, _mm512_set1_epi32(0x7FFF)), last_kept);
  return _mm512_cvtepi32_epi16(_mm512_srli_epi32(sum, 16));
}

// Calls put(r, c, lanes, sixteen values) over the part.
template <class Put>
static inline __attribute__((always_inline)) void for_each_vector(const float* tile, int64_t tile_stride, int64_t rows,
                                                                  int64_t cols, const uint32_t* row_nan,
                                                                  const uint32_t* col_nan, const Put& put) {
  for (int64_t r = 0; r < rows; ++r) {
    const __m512i nan = _mm512_set1_epi32(static_cast<int32_t>(row_nan[r]));
    int64_t c = 0;
    for (; c + 16 <= cols; c += 16) put(r, c, kAll, finished(tile + r * tile_stride + c, kAll, nan, col_nan + c));
    if (c < cols) {
      const __mmask16 lanes = static_cast<__mmask16>((1u << (cols - c)) - 1);
      put(r, c, lanes, finished(tile + r * tile_stride + c, lanes, nan, col_nan + c));
    }
  }
}

}  // namespace

void gemm_store_f32__avx512(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                            const uint32_t* col_nan, float* out, int64_t out_stride) {
  for_each_vector(tile, tile_stride, rows, cols, row_nan, col_nan,
                  [&](int64_t r, int64_t c, __mmask16 lanes, __m512i v) __attribute__((always_inline)) {
                    if (lanes == kAll)
                      _mm512_storeu_si512(out + r * out_stride + c, v);
                    else
                      _mm512_mask_storeu_epi32(out + r * out_stride + c, lanes, v);
                  });
}

void gemm_store_bf16__avx512(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols,
                             const uint32_t* row_nan, const uint32_t* col_nan, uint16_t* out, int64_t out_stride) {
  for_each_vector(tile, tile_stride, rows, cols, row_nan, col_nan,
                  [&](int64_t r, int64_t c, __mmask16 lanes, __m512i v) __attribute__((always_inline)) {
                    if (lanes == kAll)
                      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + r * out_stride + c), rounded_bf16(v));
                    else
                      _mm256_mask_storeu_epi16(out + r * out_stride + c, lanes, rounded_bf16(v));
                  });
}

}  // namespace adahop::reference::simd
