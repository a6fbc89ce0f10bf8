// Calls of the kernels that work on matrices by rows: transposes, variances, FOID scores.
#include <algorithm>

#include "fuzz/simd_kernel_trial.h"
#include "fuzz/simd_kernel_values.h"

namespace adahop::fuzz {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 15;

// Elements from the first of a matrix to its last, without what a stride adds behind that.
int64_t extent(int64_t rows, int64_t cols, int64_t stride) { return rows * cols == 0 ? 0 : (rows - 1) * stride + cols; }

int64_t read_side(trial& t, std::string_view name, int64_t most) {
  const uint8_t kind = t.in.byte() % 4;
  return t.number(name, 0, kind == 3 ? most : kind == 2 ? std::min<int64_t>(most, 80) : 17);
}

int64_t read_stride(trial& t, std::string_view name, int64_t width) {
  return t.note(name, width + (t.in.flag() ? t.in.integer(0, 20) : 0));
}

template <class Word>
using transpose_member = void (*kernel_table::*)(const Word*, int64_t, int64_t, int64_t, Word*, int64_t);
template <class Word>
void transpose(trial& t, transpose_member<Word> kernel) {
  const int64_t rows = read_side(t, "rows", 300);
  const int64_t cols = read_side(t, "cols", std::min<int64_t>(300, kMostElements / std::max<int64_t>(rows, 1)));
  const int64_t in_stride = read_stride(t, "in_stride", cols), out_stride = read_stride(t, "out_stride", rows);
  const auto out = t.add_output<Word>("out", extent(cols, rows, out_stride));
  const auto in = t.add<Word>("in", read_words<Word>(t.in, extent(rows, cols, in_stride), static_cast<Word>(~Word{0})));
  t.run([&](const kernel_table& k) { (k.*kernel)(in.data(), in_stride, rows, cols, out.data(), out_stride); });
}

template <class Element>
using variance_member = void (*kernel_table::*)(const Element*, int64_t, int64_t, int64_t, double*);
template <class Element>
void variances(trial& t, variance_member<Element> kernel, bool of_rows) {
  const int64_t lines = read_side(t, "lines", 140);
  const int64_t length = read_side(t, "length", std::min<int64_t>(2200, kMostElements / std::max<int64_t>(lines, 1)));
  const int64_t rows = of_rows ? lines : length, cols = of_rows ? length : lines;
  const int64_t stride = read_stride(t, "stride", cols);
  const auto out = t.add_output<double>("variance", lines);
  const auto x = t.add<Element>("x", read_values<Element>(t.in, extent(rows, cols, stride)));
  t.run([&](const kernel_table& k) { (k.*kernel)(x.data(), stride, rows, cols, out.data()); });
}

template <class Element>
using foid_member = void (*kernel_table::*)(const Element*, int64_t, int64_t, int64_t, int64_t, float*);
template <class Element>
void foid_scores(trial& t, foid_member<Element> kernel) {
  const int64_t window = t.note("window", t.in.flag() ? 32 : 64);
  const int64_t present = window - t.number("absent", 0, window - 1);
  const int64_t rows = read_side(t, "rows", 100), stride = read_stride(t, "stride", present);
  const auto out = t.add_output<float>("scores", rows);
  const auto x = t.add<Element>("x", read_values<Element>(t.in, extent(rows, present, stride)));
  t.run([&](const kernel_table& k) { (k.*kernel)(x.data(), stride, rows, present, window, out.data()); });
}

}  // namespace

void fuzz_transpose_32(trial& t, transpose_member<uint32_t> kernel) { transpose<uint32_t>(t, kernel); }
void fuzz_transpose_16(trial& t, transpose_member<uint16_t> kernel) { transpose<uint16_t>(t, kernel); }
void fuzz_row_variances_f32(trial& t, variance_member<float> kernel) { variances<float>(t, kernel, true); }
void fuzz_row_variances_bf16(trial& t, variance_member<uint16_t> kernel) { variances<uint16_t>(t, kernel, true); }
void fuzz_column_variances_f32(trial& t, variance_member<float> kernel) { variances<float>(t, kernel, false); }
void fuzz_column_variances_bf16(trial& t, variance_member<uint16_t> kernel) { variances<uint16_t>(t, kernel, false); }
void fuzz_foid_scores_f32(trial& t, foid_member<float> kernel) { foid_scores<float>(t, kernel); }
void fuzz_foid_scores_bf16(trial& t, foid_member<uint16_t> kernel) { foid_scores<uint16_t>(t, kernel); }

}  // namespace adahop::fuzz
