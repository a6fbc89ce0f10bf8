// Strided matrix views and small owning matrices. Nothing here rounds.
#pragma once
#include <cstdint>
#include <vector>

#include "adahop/backend.h"
#include "adahop/formats/bf16.h"
#include "adahop/formats/mx_block.h"
#include "adahop/status.h"

namespace adahop {

inline constexpr int64_t dtype_size(int32_t dtype) { return dtype == ADAHOP_BF16 ? 2 : 4; }

/// The transpose, without moving data.
constexpr adahop_view transposed(const adahop_view& v) {
  return {v.data, v.dtype, v.reserved, v.cols, v.rows, v.col_stride, v.row_stride};
}

/// Element (r, c) of an F32 or BF16 view as FP32, exactly.
inline float load(const adahop_view& v, int64_t r, int64_t c) {
  const int64_t at = r * v.row_stride + c * v.col_stride;
  if (v.dtype == ADAHOP_BF16) return decode_bf16(static_cast<const bf16*>(v.data)[at]);
  return static_cast<const float*>(v.data)[at];
}

/// An owning row-major matrix of T (float, bf16, double, uint8_t ...), [rows x cols].
template <class T>
struct matrix {
  int64_t rows = 0, cols = 0;
  std::vector<T> data;

  matrix() = default;
  matrix(int64_t r, int64_t c) : rows(r), cols(c), data(static_cast<size_t>(r * c)) {}
  T& at(int64_t r, int64_t c) { return data[static_cast<size_t>(r * cols + c)]; }
  const T& at(int64_t r, int64_t c) const { return data[static_cast<size_t>(r * cols + c)]; }
};

inline adahop_view view_of(matrix<float>& m) { return {m.data.data(), ADAHOP_F32, 0, m.rows, m.cols, m.cols, 1}; }
inline adahop_view view_of(matrix<bf16>& m) { return {m.data.data(), ADAHOP_BF16, 0, m.rows, m.cols, m.cols, 1}; }
/// A view for an input: the ABI's views are not const, and input views are only read.
inline adahop_view view_of(const matrix<float>& m) { return view_of(const_cast<matrix<float>&>(m)); }
inline adahop_view view_of(const matrix<bf16>& m) { return view_of(const_cast<matrix<bf16>&>(m)); }

/// An owning MXFP4 matrix in the linear layout of SPEC 3.1, [outer x inner].
struct mx_matrix {
  int64_t outer = 0, inner = 0;
  std::vector<uint8_t> codes;   ///< [outer][inner / 2]
  std::vector<uint8_t> scales;  ///< [outer][inner / 32]

  mx_matrix() = default;
  mx_matrix(int64_t o, int64_t i)
      : outer(o), inner(i), codes(static_cast<size_t>(o * i / 2)), scales(static_cast<size_t>(o * i / kBlockSize)) {}
};

inline adahop_mx view_of(mx_matrix& m) {
  return {m.codes.data(), m.scales.data(), m.outer, m.inner, m.inner / 2, m.inner / kBlockSize};
}
inline adahop_mx view_of(const mx_matrix& m) { return view_of(const_cast<mx_matrix&>(m)); }

/// Shape and stride checks of the C ABI's data structs, done once at the boundary; `what` names the argument. Under
/// scale_layout = gfx950_shuffle, scales_stride is not looked at.
status check_view(const adahop_view& v, const char* what);
status check_mx(const adahop_mx& m, const char* what, int32_t scale_layout = ADAHOP_LAYOUT_LINEAR);

}  // namespace adahop
