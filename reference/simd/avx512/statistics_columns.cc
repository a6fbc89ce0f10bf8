// Variances of columns: a lane a column, over strips that are narrow enough for their second pass to find them in the
// L2 cache. Implements SPEC 7.1-7.4 over contiguous rows.
#include "reference/simd/avx512/statistics_load.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kChunk = 64;
constexpr int64_t kPrefetchRows = 16;

// Vectors of 16 columns of a strip: two cache lines of a row.
template <class Element>
constexpr int kVectors = 8 / static_cast<int>(sizeof(Element));

// A double for each of 16 columns.
struct columns16 {
  __m512d low, high;
};

columns16 widened(__m512 v) {
  return {_mm512_cvtps_pd(_mm512_castps512_ps256(v)),
          _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)))};
}

// One strip: `cols` columns at most 16 * kVectors, whole if all of them.
template <class Element, bool kWhole>
struct strip {
  static constexpr int kCount = kVectors<Element>;
  const Element* x;
  int64_t stride, rows, cols;

  __m512 values(const Element* row, int i) const {
    if (kWhole) return load_values(row + 16 * i);
    return load_values(row + 16 * i, first_lanes(cols - 16 * i));
  }

  // Two-level sums of the columns; of (v - mean)^2 if kSquares.
  template <bool kSquares>
  void sums(const columns16 (&mean)[kCount], columns16 (&total)[kCount]) const {
    for (int i = 0; i < kCount; ++i) total[i] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
    for (int64_t first = 0; first < rows; first += kChunk) {
      const int64_t last = first + kChunk < rows ? first + kChunk : rows;
      columns16 chunk[kCount];
      for (int i = 0; i < kCount; ++i) chunk[i] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
      for (int64_t r = first; r < last; ++r) {
        const Element* const row = x + r * stride;
        if (!kSquares && r + kPrefetchRows < rows) {
          // Rows may be pages apart, where no hardware prefetcher follows.
          _mm_prefetch(reinterpret_cast<const char*>(row + kPrefetchRows * stride), _MM_HINT_T0);
          _mm_prefetch(reinterpret_cast<const char*>(row + kPrefetchRows * stride) + 64, _MM_HINT_T0);
        }
        for (int i = 0; i < kCount; ++i) {
          columns16 v = widened(values(row, i));
          if (kSquares) {
            v.low = _mm512_sub_pd(v.low, mean[i].low), v.high = _mm512_sub_pd(v.high, mean[i].high);
            v.low = _mm512_mul_pd(v.low, v.low), v.high = _mm512_mul_pd(v.high, v.high);
          }
          chunk[i].low = _mm512_add_pd(chunk[i].low, v.low), chunk[i].high = _mm512_add_pd(chunk[i].high, v.high);
        }
      }
      for (int i = 0; i < kCount; ++i)
        total[i].low = _mm512_add_pd(total[i].low, chunk[i].low),
        total[i].high = _mm512_add_pd(total[i].high, chunk[i].high);
    }
  }

  // v / divisor; NaN canonical, and all NaN with fewer than two rows.
  __m512d quotient(__m512d v, double divisor) const {
    const __m512d nan = _mm512_set1_pd(__builtin_nan(""));
    const __m512d q = _mm512_div_pd(v, _mm512_set1_pd(divisor));
    return rows < 2 ? nan : _mm512_mask_mov_pd(q, _mm512_cmp_pd_mask(q, q, _CMP_UNORD_Q), nan);
  }

  void variances(double* variance) const {
    columns16 mean[kCount] = {}, squares[kCount], sum[kCount];
    sums<false>(mean, sum);
    const __m512d count = _mm512_set1_pd(static_cast<double>(rows));
    for (int i = 0; i < kCount; ++i) mean[i] = {_mm512_div_pd(sum[i].low, count), _mm512_div_pd(sum[i].high, count)};
    sums<true>(mean, squares);
    const double divisor = static_cast<double>(rows) - 1;
    for (int i = 0; i < kCount; ++i) {
      const __mmask16 mask = first_lanes(cols - 16 * i);
      _mm512_mask_storeu_pd(variance + 16 * i, static_cast<__mmask8>(mask), quotient(squares[i].low, divisor));
      _mm512_mask_storeu_pd(variance + 16 * i + 8, static_cast<__mmask8>(mask >> 8),
                            quotient(squares[i].high, divisor));
    }
  }
};

template <class Element>
void column_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  constexpr int64_t kWidth = 16 * kVectors<Element>;
  int64_t c = 0;
  for (; c + kWidth <= cols; c += kWidth) strip<Element, true>{x + c, stride, rows, kWidth}.variances(variance + c);
  if (c < cols) strip<Element, false>{x + c, stride, rows, cols - c}.variances(variance + c);
}

}  // namespace

void column_variances_f32__avx512(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

void column_variances_bf16__avx512(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
