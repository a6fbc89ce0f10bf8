// Matrices by rows: transposes, variances, FOID scores. Implements SPEC 7.1-7.4, 9.1-9.4 for rows of contiguous
// elements.
#include <algorithm>

#include "adahop/policy.h"
#include "conformance/kernel_oracle/kernel_oracle.h"
#include "reference/outliers.h"
#include "reference/pattern.h"

namespace adahop::conformance::kernel_oracle {
namespace {

template <class T>
void transpose(const T* in, int64_t in_stride, int64_t rows, int64_t cols, T* out, int64_t out_stride) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) out[c * out_stride + r] = in[r * in_stride + c];
}

template <class Element>
adahop_view view_of(const Element* x, int64_t stride, int64_t rows, int64_t cols) {
  return {const_cast<Element*>(x), sizeof(Element) == 2 ? ADAHOP_BF16 : ADAHOP_F32, 0, rows, cols, stride, 1};
}

// The oracle has the variances of rows and columns in one function: half of what it does is not asked for here.
template <class Element>
void row_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  std::ranges::copy(reference::variances(view_of(x, stride, rows, cols)).rows, variance);
}
template <class Element>
void column_variances(const Element* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  std::ranges::copy(reference::variances(view_of(x, stride, rows, cols)).cols, variance);
}

template <class Element>
void foid_scores(const Element* x, int64_t stride, int64_t rows, int64_t present, int64_t window, float* scores) {
  policy p = default_policy();
  p.pad = ADAHOP_PAD_ZERO;
  p.hadamard_size = 64;  // extends every row to 64 slots at least, so that foid_window alone decides
  p.foid_window = static_cast<int32_t>(window);
  std::ranges::copy(reference::scores(p, view_of(x, stride, rows, present)), scores);
}

}  // namespace

void transpose_32(const uint32_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint32_t* out,
                  int64_t out_stride) {
  transpose(in, in_stride, rows, cols, out, out_stride);
}
void transpose_16(const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
                  int64_t out_stride) {
  transpose(in, in_stride, rows, cols, out, out_stride);
}

void row_variances_f32(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances(x, stride, rows, cols, variance);
}
void row_variances_bf16(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  row_variances(x, stride, rows, cols, variance);
}
void column_variances_f32(const float* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}
void column_variances_bf16(const uint16_t* x, int64_t stride, int64_t rows, int64_t cols, double* variance) {
  column_variances(x, stride, rows, cols, variance);
}

void foid_scores_f32(const float* x, int64_t stride, int64_t rows, int64_t present, int64_t window, float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}
void foid_scores_bf16(const uint16_t* x, int64_t stride, int64_t rows, int64_t present, int64_t window, float* scores) {
  foid_scores(x, stride, rows, present, window, scores);
}

}  // namespace adahop::conformance::kernel_oracle
