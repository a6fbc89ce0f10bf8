// A tile of FP32 results to the output: the NaN of 0xFF scale bytes, the canonical NaN, the rounding to BF16.
// Implements SPEC 1.4, 2.8, 10.3, 10.8.
#include <string.h>

#include "reference/simd/avx2/gemm_lanes.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

// `lanes` of eight values, canonical.
static inline __attribute__((always_inline)) __m256i finished(const float* values, __m256i lanes, __m256i row_nan,
                                                              const uint32_t* col_nan) {
  const __m256i nan = _mm256_or_si256(row_nan, _mm256_maskload_epi32(reinterpret_cast<const int*>(col_nan), lanes));
  // With the bits of 0x7FC00000 any value is a NaN.
  const __m256 v = _mm256_or_ps(_mm256_maskload_ps(values, lanes), _mm256_castsi256_ps(nan));
  const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000));
  return _mm256_castps_si256(_mm256_blendv_ps(v, canonical, _mm256_cmp_ps(v, v, _CMP_UNORD_Q)));
}

// Round to nearest even, 0x7FFF + (last kept bit) added below it: a canonical NaN stays 0x7FC0, finite values carry
// into Inf, Inf stays.
static inline __attribute__((always_inline)) __m128i rounded_bf16(__m256i v) {
  const __m256i last_kept = _mm256_and_si256(_mm256_srli_epi32(v, 16), _mm256_set1_epi32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(v, _mm256_set1_epi32(0x7FFF)), last_kept);
  const __m256i words = _mm256_srli_epi32(sum, 16);
  return _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

// Calls put(r, c, lanes, eight values, how many of them) over the part.
template <class Put>
static inline __attribute__((always_inline)) void for_each_vector(const float* tile, int64_t tile_stride, int64_t rows,
                                                                  int64_t cols, const uint32_t* row_nan,
                                                                  const uint32_t* col_nan, const Put& put) {
  for (int64_t r = 0; r < rows; ++r) {
    const __m256i nan = _mm256_set1_epi32(static_cast<int32_t>(row_nan[r]));
    for (int64_t c = 0; c < cols; c += 8) {
      const int64_t n = cols - c < 8 ? cols - c : 8;
      const __m256i lanes = first_lanes(n);
      put(r, c, lanes, finished(tile + r * tile_stride + c, lanes, nan, col_nan + c), n);
    }
  }
}

}  // namespace

void gemm_store_f32__avx2(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                          const uint32_t* col_nan, float* out, int64_t out_stride) {
  for_each_vector(tile, tile_stride, rows, cols, row_nan, col_nan,
                  [&](int64_t r, int64_t c, __m256i lanes, __m256i v, int64_t) __attribute__((always_inline)) {
                    _mm256_maskstore_epi32(reinterpret_cast<int*>(out + r * out_stride + c), lanes, v);
                  });
}

void gemm_store_bf16__avx2(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                           const uint32_t* col_nan, uint16_t* out, int64_t out_stride) {
  for_each_vector(tile, tile_stride, rows, cols, row_nan, col_nan,
                  [&](int64_t r, int64_t c, __m256i, __m256i v, int64_t n) __attribute__((always_inline)) {
                    uint16_t* const to = out + r * out_stride + c;
                    const __m128i values = rounded_bf16(v);
                    if (n == 8)
                      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), values);
                    else
                      memcpy(to, &values, static_cast<size_t>(n) * sizeof(uint16_t));
                  });
}

}  // namespace adahop::reference::simd
