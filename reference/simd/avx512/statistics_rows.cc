// Variances of rows: sixteen chunks of 64 elements at once, a lane each, so that every chunk is still summed in order.
// Implements SPEC 7.1-7.4 over contiguous rows.
#include "reference/simd/avx512/transpose_tile.h"
#include "reference/simd/kernels.h"
#include "reference/simd/kernels_row_group.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kLanes = 16;

struct lane_values {
  alignas(64) double of[kLanes];
};

// A tile has 32-bit words: one FP32, or two BF16.
template <class Element>
constexpr int64_t kPerWord = 4 / static_cast<int64_t>(sizeof(Element));

__m512i load_first(const float* x, int64_t n) {
  return _mm512_maskz_loadu_epi32(static_cast<__mmask16>((1u << n) - 1), x);
}
__m512i load_first(const uint16_t* x, int64_t n) { return _mm512_maskz_loadu_epi16((1u << n) - 1, x); }

// The values of a word, as FP32 in each lane: its only one, or its BF16 number `which`.
template <int kWhich>
__m512i value_of(__m512i words, const float*) {
  return words;
}
template <int kWhich>
__m512i value_of(__m512i words, const uint16_t*) {
  return kWhich == 0 ? _mm512_slli_epi32(words, 16)
                     : _mm512_and_si512(words, _mm512_set1_epi32(static_cast<int>(0xFFFF0000u)));
}

// What sixteen lines add up to, from +0: values, or, if kSquares, (v - mean)^2.
template <bool kSquares>
class accumulator {
 public:
  explicit accumulator(const lane_values& mean)
      : mean_low_(_mm512_load_pd(mean.of)), mean_high_(_mm512_load_pd(mean.of + 8)) {}

  void add(__m512i values) {
    __m512d v = _mm512_cvtps_pd(_mm512_castps512_ps256(_mm512_castsi512_ps(values)));
    __m512d w = _mm512_cvtps_pd(_mm256_castsi256_ps(_mm512_extracti64x4_epi64(values, 1)));
    if (kSquares) {
      v = _mm512_sub_pd(v, mean_low_), w = _mm512_sub_pd(w, mean_high_);
      v = _mm512_mul_pd(v, v), w = _mm512_mul_pd(w, w);
    }
    low_ = _mm512_add_pd(low_, v), high_ = _mm512_add_pd(high_, w);
  }

  // The first `count` elements of each line of a tile, by their order in the line.
  template <class Element>
  void add_tile(const __m512i (&tile)[16], int64_t count) {
    for (int i = 0; i < 16; ++i) {
      const int64_t left = count - i * kPerWord<Element>;
      if (left > 0) add(value_of<0>(tile[i], static_cast<const Element*>(nullptr)));
      if (kPerWord<Element> == 2 && left > 1) add(value_of<1>(tile[i], static_cast<const Element*>(nullptr)));
    }
  }

  lane_values sums() const {
    lane_values result;
    _mm512_store_pd(result.of, low_), _mm512_store_pd(result.of + 8, high_);
    return result;
  }

 private:
  __m512d mean_low_, mean_high_;
  __m512d low_ = _mm512_setzero_pd(), high_ = _mm512_setzero_pd();
};

struct lanes {
  static constexpr int64_t kCount = kLanes;
  using values = lane_values;

  template <bool kSquares, class Element>
  static lane_values sum_lines(const Element* const (&line)[kLanes], int64_t length, const lane_values& mean, int64_t ahead = 0) {
    constexpr int64_t kStep = 16 * kPerWord<Element>;
    accumulator<kSquares> sum(mean);
    int64_t first = 0;
    for (; first + kStep <= length; first += kStep) {
      __m512i tile[16];
      for (int i = 0; i < 16; ++i) {
        tile[i] = _mm512_loadu_si512(line[i] + first);
        if (ahead != 0) _mm_prefetch(reinterpret_cast<const char*>(line[i] + first + ahead), _MM_HINT_T0);
      }
      transpose_tile(tile);
      sum.template add_tile<Element>(tile, kStep);
    }
    if (first < length) {
      __m512i tile[16];
      for (int i = 0; i < 16; ++i) tile[i] = load_first(line[i] + first, length - first);
      transpose_tile(tile);
      sum.template add_tile<Element>(tile, length - first);
    }
    return sum.sums();
  }
};

}  // namespace

void row_variances_f32__avx512(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances<lanes>(x, stride, rows, cols, variance);
}

void row_variances_bf16__avx512(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances<lanes>(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
