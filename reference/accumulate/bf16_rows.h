// The two rows of BF16 operands whose dot product an accumulation model forms.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference {

/// Two rows of k BF16 elements, strides in elements.
struct bf16_rows {
  const bf16* a;
  int64_t a_stride;
  const bf16* b;
  int64_t b_stride;
  int64_t k;

  bf16_rows(const adahop_view& left, int64_t m, const adahop_view& right, int64_t n)
      : a(row(left, m)),
        a_stride(left.col_stride),
        b(row(right, n)),
        b_stride(right.col_stride),
        k(left.cols) {}
  bf16 a_at(int64_t i) const { return a[i * a_stride]; }
  bf16 b_at(int64_t i) const { return b[i * b_stride]; }

 private:
  // Rows without elements are nowhere: their pointer may be null and their stride any number.
  static const bf16* row(const adahop_view& x, int64_t i) {
    return x.cols == 0 ? nullptr : static_cast<const bf16*>(x.data) + i * x.row_stride;
  }
};

}  // namespace adahop::reference
