// Variances of columns: a lane a column, over strips that are narrow enough for their second pass to find them in the
// L2 cache. Implements SPEC 7.1-7.4 over contiguous rows.
#include "reference/simd/avx2/statistics_load.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kChunk = 64;
constexpr int64_t kPrefetchRows = 16;

constexpr int kVectors = 2;  // of 8 columns in a strip: more, and their sums leave the registers

// A double for each of 8 columns.
struct columns8 {
  __m256d low, high;
};

columns8 widened(__m256 v) {
  return {_mm256_cvtps_pd(_mm256_castps256_ps128(v)), _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1))};
}

// One strip: `cols` columns at most 8 * kVectors, whole if all of them.
template <class Element, bool kWhole>
struct strip {
  static constexpr int kCount = kVectors;
  const Element* x;
  int64_t stride, rows, cols;

  __m256 values(const Element* row, int i) const {
    return kWhole ? load_values(row + 8 * i) : load_first_values(row + 8 * i, cols - 8 * i);
  }

  // Two-level sums of the columns; of (v - mean)^2 if kSquares.
  template <bool kSquares>
  void sums(const columns8 (&mean)[kCount], columns8 (&total)[kCount]) const {
    for (int i = 0; i < kCount; ++i) total[i] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
    for (int64_t first = 0; first < rows; first += kChunk) {
      const int64_t last = first + kChunk < rows ? first + kChunk : rows;
      columns8 chunk[kCount];
      for (int i = 0; i < kCount; ++i) chunk[i] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
      for (int64_t r = first; r < last; ++r) {
        const Element* const row = x + r * stride;
        if (!kSquares && r + kPrefetchRows < rows) {
          // Rows may be pages apart, where no hardware prefetcher follows.
          _mm_prefetch(reinterpret_cast<const char*>(row + kPrefetchRows * stride), _MM_HINT_T0);
        }
        for (int i = 0; i < kCount; ++i) {
          columns8 v = widened(values(row, i));
          if (kSquares) {
            v.low = _mm256_sub_pd(v.low, mean[i].low), v.high = _mm256_sub_pd(v.high, mean[i].high);
            v.low = _mm256_mul_pd(v.low, v.low), v.high = _mm256_mul_pd(v.high, v.high);
          }
          chunk[i].low = _mm256_add_pd(chunk[i].low, v.low), chunk[i].high = _mm256_add_pd(chunk[i].high, v.high);
        }
      }
      for (int i = 0; i < kCount; ++i)
        total[i].low = _mm256_add_pd(total[i].low, chunk[i].low),
        total[i].high = _mm256_add_pd(total[i].high, chunk[i].high);
    }
  }

  // v / divisor; NaN canonical, and all NaN with fewer than two rows.
  __m256d quotient(__m256d v, double divisor) const {
    const __m256d nan = _mm256_set1_pd(__builtin_nan(""));
    const __m256d q = _mm256_div_pd(v, _mm256_set1_pd(divisor));
    return rows < 2 ? nan : _mm256_blendv_pd(q, nan, _mm256_cmp_pd(q, q, _CMP_UNORD_Q));
  }

  void variances(double* variance) const {
    columns8 mean[kCount] = {}, squares[kCount], sum[kCount];
    sums<false>(mean, sum);
    const __m256d count = _mm256_set1_pd(static_cast<double>(rows));
    for (int i = 0; i < kCount; ++i) mean[i] = {_mm256_div_pd(sum[i].low, count), _mm256_div_pd(sum[i].high, count)};
    sums<true>(mean, squares);
    const double divisor = static_cast<double>(rows) - 1;
    alignas(32) double result[8 * kCount];
    for (int i = 0; i < kCount; ++i) {
      _mm256_store_pd(result + 8 * i, quotient(squares[i].low, divisor));
      _mm256_store_pd(result + 8 * i + 4, quotient(squares[i].high, divisor));
    }
    memcpy(variance, result, static_cast<size_t>(cols) * sizeof(double));
  }
};

template <class Element>
void column_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  constexpr int64_t kWidth = 8 * kVectors;
  int64_t c = 0;
  for (; c + kWidth <= cols; c += kWidth) strip<Element, true>{x + c, stride, rows, kWidth}.variances(variance + c);
  if (c < cols) strip<Element, false>{x + c, stride, rows, cols - c}.variances(variance + c);
}

}  // namespace

void column_variances_f32__avx2(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

void column_variances_bf16__avx2(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
