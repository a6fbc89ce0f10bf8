// Contiguous copies of tiles of a strided matrix, by transposing where its columns are what lies together.
#pragma once
#include "adahop/tensor.h"
#include "reference/simd/isa.h"

namespace adahop::reference::simd {

inline constexpr int64_t kStagedRows = 32;
inline constexpr int64_t kStagedColumns = 256;  ///< a multiple of every transform's size

/// Row r of a view whose columns lie together, as float or as BF16 bits.
template <class T>
const T* row_of(const adahop_view& x, int64_t r) {
  return static_cast<const T*>(x.data) + r * x.row_stride;
}

/// Elements [row, row + rows) x [column, column + columns) to buffer [rows x columns]; columns beyond the view are +0.
void stage(const kernel_table& k, const adahop_view& x, int64_t row, int64_t rows, int64_t column, int64_t columns,
           float* buffer);
void stage(const kernel_table& k, const adahop_view& x, int64_t row, int64_t rows, int64_t column, int64_t columns,
           uint16_t* buffer);

/// in [rows x cols], rows in_stride elements apart, to out [cols x rows].
void transpose(const kernel_table& k, const float* in, int64_t in_stride, int64_t rows, int64_t cols, float* out,
               int64_t out_stride);
void transpose(const kernel_table& k, const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
               int64_t out_stride);

/// `count` BF16 values as FP32, exactly.
void widen(const uint16_t* x, int64_t count, float* out);

}  // namespace adahop::reference::simd
