// Variances of rows whatever the width of a register: which chunks of which rows share its lanes, and the order in which
// the chunks' sums are added. Everything is without external linkage: the files of each instruction set compile it for
// themselves (kernels.h says why). Implements SPEC 7.1-7.4.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

constexpr int64_t kChunk = 64;

// `Lanes` has kCount, the number of lanes; `values`, a double `of` each; and
//   sum_lines<kSquares>(lines, length, mean, ahead): a lane a line, the sum of its elements, or of (v - mean)^2, from +0 in
//   order. `ahead`, if not 0, is how far behind a line the one that is wanted next stands: chunk after chunk its lines are
//   not read in the order that the prefetchers know.
//
// The group: as many rows as lanes at most, x the first.
template <class Lanes, class Element>
struct row_group {
  static constexpr int64_t kLanes = Lanes::kCount;
  using lane_values = typename Lanes::values;

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
      const lane_values sum = Lanes::template sum_lines<kSquares>(line, kChunk, lane_mean, ahead);
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
    return Lanes::template sum_lines<kSquares>(line, tail(), mean);
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

template <class Lanes, class Element>
void row_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  for (int64_t r = 0; r < rows; r += Lanes::kCount)
    row_group<Lanes, Element>{x + r * stride, stride, rows - r < Lanes::kCount ? rows - r : Lanes::kCount, cols}
        .variances(variance + r);
}

}  // namespace
}  // namespace adahop::reference::simd
