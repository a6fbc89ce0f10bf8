// Variances of rows: eight chunks of 64 elements at once, a lane each, so that every chunk is still summed in order.
// Implements SPEC 7.1-7.4 over contiguous rows.
#include <string.h>

#include "reference/simd/avx2/transpose_tile.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kChunk = 64;
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

// `ahead`, if not 0, is how far behind a line the one that is wanted next stands: chunk after chunk its lines are not
// read in the order that the prefetchers know.
template <bool kSquares, class Element>
lane_values sum_lines(const Element* const (&line)[kLanes], int64_t length, const lane_values& mean,
                      int64_t ahead = 0) {
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

// Eight rows at most, x the first: their shapes, and how the whole chunks of rows fill the lanes.
template <class Element>
struct row_group {
  const Element* x;
  int64_t stride, rows, cols;

  int64_t whole_chunks() const { return cols / kChunk; }
  int64_t tail() const { return cols % kChunk; }
  // Rows that share a set of lanes.
  int64_t rows_at_once() const {
    return whole_chunks() >= kLanes ? 1 : whole_chunks() == 0 ? rows : kLanes / whole_chunks();
  }

  // total[r] += the whole chunks of row r, in order, for r in [first, last), which share lanes.
  template <bool kSquares>
  void add_chunks(int64_t first, int64_t last, const lane_values& mean, lane_values& total) const {
    const int64_t whole = whole_chunks();
    for (int64_t begin = 0; begin < whole; begin += kLanes) {
      const int64_t chunks = whole - begin < kLanes ? whole - begin : kLanes;
      const Element* line[kLanes];
      lane_values lane_mean;
      int64_t lane = 0;
      for (int64_t r = first; r < last; ++r)
        for (int64_t i = 0; i < chunks; ++i, ++lane) {
          line[lane] = x + r * stride + (begin + i) * kChunk;
          lane_mean.of[lane] = mean.of[r];
        }
      // Lanes to spare read what another lane reads; nobody looks at their sums.
      for (; lane < kLanes; ++lane) line[lane] = line[0], lane_mean.of[lane] = 0;
      const int64_t ahead = kSquares && last + last - first <= rows ? (last - first) * stride : 0;
      const lane_values sum = sum_lines<kSquares>(line, kChunk, lane_mean, ahead);
      lane = 0;
      for (int64_t r = first; r < last; ++r)
        for (int64_t i = 0; i < chunks; ++i, ++lane) total.of[r] += sum.of[lane];
    }
  }

  // The sums of the shorter last chunks of all rows, a lane a row.
  template <bool kSquares>
  lane_values tail_sums(const lane_values& mean) const {
    const Element* line[kLanes];
    for (int64_t r = 0; r < kLanes; ++r) line[r] = x + (r < rows ? r : 0) * stride + whole_chunks() * kChunk;
    return sum_lines<kSquares>(line, tail(), mean);
  }

  void variances(double* variance) const {
    const double count = static_cast<double>(cols);
    lane_values mean = {}, squares = {};
    const lane_values tails = tail_sums<false>(mean);
    // The second pass of a row follows its first while the row is in the cache.
    for (int64_t first = 0; first < rows; first += rows_at_once()) {
      const int64_t last = first + rows_at_once() < rows ? first + rows_at_once() : rows;
      lane_values sums = {};
      add_chunks<false>(first, last, mean, sums);
      for (int64_t r = first; r < last; ++r) mean.of[r] = (sums.of[r] + tails.of[r]) / count;
      add_chunks<true>(first, last, mean, squares);
    }
    // Without a tail these sums are +0, and adding +0 changes no sum that began at +0: none of them is -0.
    const lane_values tail_squares = tail_sums<true>(mean);
    for (int64_t r = 0; r < rows; ++r) {
      const double v = (squares.of[r] + tail_squares.of[r]) / (count - 1);
      variance[r] = cols < 2 || v != v ? __builtin_nan("") : v;
    }
  }
};

template <class Element>
void row_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  for (int64_t r = 0; r < rows; r += kLanes)
    row_group<Element>{x + r * stride, stride, rows - r < kLanes ? rows - r : kLanes, cols}.variances(variance + r);
}

}  // namespace

void row_variances_f32__avx2(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances(x, stride, rows, cols, variance);
}

void row_variances_bf16__avx2(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances(x, stride, rows, cols, variance);
}

}  // namespace adahop::reference::simd
