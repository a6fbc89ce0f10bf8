// Staging of tiles; nothing here rounds.
#include "reference/simd/staging.h"

#include <algorithm>

namespace adahop::reference::simd {
namespace {

template <class T>
void stage_tile(const kernel_table& k, const adahop_view& x, int64_t row, int64_t rows, int64_t column, int64_t columns,
                T* buffer) {
  const int64_t present = std::clamp<int64_t>(x.cols - column, 0, columns);
  for (int64_t r = 0; r < rows && present < columns; ++r)
    std::fill_n(buffer + r * columns + present, columns - present, T{0});
  if (present == 0) return;
  const T* const first = static_cast<const T*>(x.data) + row * x.row_stride + column * x.col_stride;
  if (x.col_stride == 1) {
    for (int64_t r = 0; r < rows; ++r) std::copy_n(first + r * x.row_stride, present, buffer + r * columns);
  } else if (x.row_stride == 1) {
    transpose(k, first, x.col_stride, present, rows, buffer, columns);
  } else {
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < present; ++c) buffer[r * columns + c] = first[r * x.row_stride + c * x.col_stride];
  }
}

}  // namespace

void stage(const kernel_table& k, const adahop_view& x, int64_t row, int64_t rows, int64_t column, int64_t columns,
           float* buffer) {
  stage_tile(k, x, row, rows, column, columns, buffer);
}

void stage(const kernel_table& k, const adahop_view& x, int64_t row, int64_t rows, int64_t column, int64_t columns,
           uint16_t* buffer) {
  stage_tile(k, x, row, rows, column, columns, buffer);
}

void transpose(const kernel_table& k, const float* in, int64_t in_stride, int64_t rows, int64_t cols, float* out,
               int64_t out_stride) {
  k.transpose_32(reinterpret_cast<const uint32_t*>(in), in_stride, rows, cols, reinterpret_cast<uint32_t*>(out), out_stride);
}

void transpose(const kernel_table& k, const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
               int64_t out_stride) {
  k.transpose_16(in, in_stride, rows, cols, out, out_stride);
}

void widen(const uint16_t* x, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i) out[i] = decode_bf16({x[i]});
}

}  // namespace adahop::reference::simd
