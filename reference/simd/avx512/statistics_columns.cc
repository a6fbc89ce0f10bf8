// Variances of columns: a lane a column, eight rows at a time over strips that are wide enough for memory to stream and
// narrow enough for their sums to stay in the L1 cache. Implements SPEC 7.1-7.4 over contiguous rows.
#include "reference/simd/avx512/statistics_load.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kChunk = 64;
constexpr int64_t kRows = 8;       // at a time: a sum is loaded and stored once for so many additions
constexpr int64_t kColumns = 512;  // of a strip
constexpr int64_t kLanes = 16;

// A number for each column of a strip.
struct strip_values {
  alignas(64) double of[kColumns];
};

// One strip, `cols` columns of it there.
template <class Element>
struct strip {
  const Element* x;
  int64_t stride, rows, cols;

  // Adds rows [r, r + n) of the sixteen columns from c on to sum, (v - mean)^2 if kSquares.
  template <bool kSquares, class Load>
  void add_rows(int64_t r, int64_t n, int64_t c, const strip_values& mean, __m512d (&sum)[2], const Load& load) const {
    const __m512d mean_low = _mm512_load_pd(mean.of + c), mean_high = _mm512_load_pd(mean.of + c + 8);
    for (int64_t i = 0; i < n; ++i) {
      const Element* const at = x + (r + i) * stride + c;
      // The same columns of the rows of the next step. Rows may be pages apart, where no prefetcher follows.
      _mm_prefetch(reinterpret_cast<const char*>(at + (r + i + kRows < rows ? kRows * stride : 0)), _MM_HINT_T0);
      const __m512 v = load(at);
      __m512d low = _mm512_cvtps_pd(_mm512_castps512_ps256(v));
      __m512d high = _mm512_cvtps_pd(_mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)));
      if (kSquares) {
        low = _mm512_sub_pd(low, mean_low), high = _mm512_sub_pd(high, mean_high);
        low = _mm512_mul_pd(low, low), high = _mm512_mul_pd(high, high);
      }
      sum[0] = _mm512_add_pd(sum[0], low), sum[1] = _mm512_add_pd(sum[1], high);
    }
  }

  // Two-level sums of the columns; of (v - mean)^2 if kSquares.
  template <bool kSquares>
  void sums(const strip_values& mean, strip_values& total) const {
    strip_values chunk;
    for (int64_t c = 0; c < kColumns; c += 8) _mm512_store_pd(total.of + c, _mm512_setzero_pd());
    for (int64_t r = 0; r < rows; r += kRows) {
      const int64_t n = rows - r < kRows ? rows - r : kRows;
      const bool begins = r % kChunk == 0, ends = r + n == rows || (r + n) % kChunk == 0;
      for (int64_t c = 0; c < cols; c += kLanes) {
        __m512d sum[2] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
        if (!begins) sum[0] = _mm512_load_pd(chunk.of + c), sum[1] = _mm512_load_pd(chunk.of + c + 8);
        if (cols - c >= kLanes) {
          add_rows<kSquares>(r, n, c, mean, sum, [](const Element* at) { return load_values(at); });
        } else {
          const __mmask16 mask = first_lanes(cols - c);
          add_rows<kSquares>(r, n, c, mean, sum, [mask](const Element* at) { return load_values(at, mask); });
        }
        if (ends) {
          sum[0] = _mm512_add_pd(_mm512_load_pd(total.of + c), sum[0]);
          sum[1] = _mm512_add_pd(_mm512_load_pd(total.of + c + 8), sum[1]);
        }
        double* const to = (ends ? total.of : chunk.of) + c;
        _mm512_store_pd(to, sum[0]), _mm512_store_pd(to + 8, sum[1]);
      }
    }
  }

  void variances(double* variance) const {
    strip_values mean = {}, total;
    sums<false>(mean, total);
    const __m512d count = _mm512_set1_pd(static_cast<double>(rows)), nan = _mm512_set1_pd(__builtin_nan(""));
    for (int64_t c = 0; c < cols; c += 8)
      _mm512_store_pd(mean.of + c, _mm512_div_pd(_mm512_load_pd(total.of + c), count));
    sums<true>(mean, total);
    const __m512d divisor = _mm512_sub_pd(count, _mm512_set1_pd(1));
    for (int64_t c = 0; c < cols; c += 8) {
      const __m512d v = _mm512_div_pd(_mm512_load_pd(total.of + c), divisor);
      const __mmask8 none = rows < 2 ? 0xFF : _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q);
      _mm512_mask_storeu_pd(variance + c, static_cast<__mmask8>(first_lanes(cols - c)),
                            _mm512_mask_mov_pd(v, none, nan));
    }
  }
};

template <class Element>
void column_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  for (int64_t c = 0; c < cols; c += kColumns)
    strip<Element>{x + c, stride, rows, cols - c < kColumns ? cols - c : kColumns}.variances(variance + c);
}

}  // namespace

void column_variances_f32__avx512(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

void column_variances_bf16__avx512(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
