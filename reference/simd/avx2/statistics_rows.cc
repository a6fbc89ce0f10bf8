// Variances of rows: eight chunks of 64 elements at once, a lane each, so that every chunk is still summed in order.
// Implements SPEC 7.1-7.4 over contiguous rows.
#include <string.h>

#include "reference/simd/avx2/transpose_tile.h"
#include "reference/simd/kernels.h"
#include "reference/simd/kernels_row_group.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kLanes = 8;

struct lane_values {
  alignas(32) double of[kLanes];
};

// A tile has 32-bit words: one FP32, or two BF16.
template <class Element>
constexpr int64_t kPerWord = 4 / static_cast<int64_t>(sizeof(Element));

__m256i load_words(const void* x) { return _mm256_loadu_si256(static_cast<const __m256i*>(x)); }

// The first n elements, 1 to 8 words of them, then zeros.
template <class Element>
__m256i load_first(const Element* x, int64_t n) {
  Element some[32 / sizeof(Element)] = {};
  memcpy(some, x, static_cast<size_t>(n) * sizeof(Element));
  return load_words(some);
}

// The values of a word, as FP32 in each lane: its only one, or its BF16 number `which`.
template <int kWhich>
__m256i value_of(__m256i words, const float*) {
  return words;
}
template <int kWhich>
__m256i value_of(__m256i words, const uint16_t*) {
  return kWhich == 0 ? _mm256_slli_epi32(words, 16)
                     : _mm256_and_si256(words, _mm256_set1_epi32(static_cast<int>(0xFFFF0000u)));
}

// What eight lines add up to, from +0: values, or, if kSquares, (v - mean)^2.
template <bool kSquares>
class accumulator {
 public:
  explicit accumulator(const lane_values& mean)
      : mean_low_(_mm256_load_pd(mean.of)), mean_high_(_mm256_load_pd(mean.of + 4)) {}

  void add(__m256i values) {
    __m256d v = _mm256_cvtps_pd(_mm_castsi128_ps(_mm256_castsi256_si128(values)));
    __m256d w = _mm256_cvtps_pd(_mm_castsi128_ps(_mm256_extracti128_si256(values, 1)));
    if (kSquares) {
      v = _mm256_sub_pd(v, mean_low_), w = _mm256_sub_pd(w, mean_high_);
      v = _mm256_mul_pd(v, v), w = _mm256_mul_pd(w, w);
    }
    low_ = _mm256_add_pd(low_, v), high_ = _mm256_add_pd(high_, w);
  }

  // The first `count` elements of each line of a tile, by their order in the line.
  template <class Element>
  void add_tile(const __m256i (&tile)[8], int64_t count) {
    for (int i = 0; i < 8; ++i) {
      const int64_t left = count - i * kPerWord<Element>;
      if (left > 0) add(value_of<0>(tile[i], static_cast<const Element*>(nullptr)));
      if (kPerWord<Element> == 2 && left > 1) add(value_of<1>(tile[i], static_cast<const Element*>(nullptr)));
    }
  }

  lane_values sums() const {
    lane_values result;
    _mm256_store_pd(result.of, low_), _mm256_store_pd(result.of + 4, high_);
    return result;
  }

 private:
  __m256d mean_low_, mean_high_;
  __m256d low_ = _mm256_setzero_pd(), high_ = _mm256_setzero_pd();
};

struct lanes {
  static constexpr int64_t kCount = kLanes;
  using values = lane_values;

  template <bool kSquares, class Element>
  static lane_values sum_lines(const Element* const (&line)[kLanes], int64_t length, const lane_values& mean, int64_t ahead = 0) {
    constexpr int64_t kStep = 8 * kPerWord<Element>;
    accumulator<kSquares> sum(mean);
    int64_t first = 0;
    for (; first + kStep <= length; first += kStep) {
      __m256i tile[8];
      for (int i = 0; i < 8; ++i) {
        tile[i] = load_words(line[i] + first);
        if (ahead != 0) _mm_prefetch(reinterpret_cast<const char*>(line[i] + first + ahead), _MM_HINT_T0);
      }
      transpose_tile(tile);
      sum.template add_tile<Element>(tile, kStep);
    }
    if (first < length) {
      __m256i tile[8];
      for (int i = 0; i < 8; ++i) tile[i] = load_first(line[i] + first, length - first);
      transpose_tile(tile);
      sum.template add_tile<Element>(tile, length - first);
    }
    return sum.sums();
  }
};

}  // namespace

void row_variances_f32__avx2(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances<lanes>(x, stride, rows, cols, variance);
}

void row_variances_bf16__avx2(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances<lanes>(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
