// A matrix without gaps seen as one row, so that short rows cost no more than long ones.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// Whether the rows of x and of m, scales in the linear layout, follow each other without gap or padding, so that element
/// (r, c) of either stands at r * inner + c. What depends on a row's index or on a column's must not be asked of the joined
/// row.
inline bool joins(const adahop_view& x, const adahop_mx& m) {
  return x.rows > 1 && x.cols == m.inner && x.col_stride == 1 && x.row_stride == x.cols &&
         m.codes_stride == m.inner / 2 && m.scales_stride == m.inner / kBlockSize;
}

inline adahop_view joined(adahop_view x) {
  x.cols *= x.rows;
  x.rows = 1;
  x.row_stride = x.cols;
  return x;
}

inline adahop_mx joined(adahop_mx m) {
  m.inner *= m.outer;
  m.outer = 1;
  m.codes_stride = m.inner / 2;
  m.scales_stride = m.inner / kBlockSize;
  return m;
}

}  // namespace adahop::reference::simd
