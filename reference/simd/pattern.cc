// Variances by kernels. Implements SPEC 7.1-7.4.
#include "reference/simd/pattern.h"

#include <algorithm>

#include "reference/parallel.h"
#include "reference/simd/isa.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {
namespace {

// Of a task. Rows are read one after the other; columns in strips that make use of whole pages.
constexpr int64_t kRows = 64, kStripBytes = 1024;

using f32_kernel = void (*)(const float*, int64_t, int64_t, int64_t, double*);
using bf16_kernel = void (*)(const uint16_t*, int64_t, int64_t, int64_t, double*);

// Variances of the lines along the dimension whose elements lie together, and of those across it.
template <class T, class Kernel>
void lines(const T* x, int64_t stride, int64_t rows, int64_t cols, Kernel along, Kernel across, double* of_rows,
           double* of_cols) {
  for_each_index((rows + kRows - 1) / kRows, kRows * cols, [&](int64_t task) {
    const int64_t r = task * kRows;
    along(x + r * stride, stride, std::min(kRows, rows - r), cols, of_rows + r);
  });
  constexpr int64_t kStrip = kStripBytes / static_cast<int64_t>(sizeof(T));
  for_each_index((cols + kStrip - 1) / kStrip, kStrip * rows, [&](int64_t task) {
    const int64_t c = task * kStrip;
    across(x + c, stride, rows, std::min(kStrip, cols - c), of_cols + c);
  });
}

}  // namespace

line_variances variances(const adahop_view& x) {
  const kernel_table* const k = kernels();
  // Rows without elements are nowhere: their pointer may be null and their stride any number.
  const bool by_rows = x.col_stride == 1, by_columns = x.row_stride == 1;
  if (k == nullptr || x.rows == 0 || x.cols == 0 || (!by_rows && !by_columns)) return reference::variances(x);
  line_variances v{std::vector<double>(static_cast<size_t>(x.rows)), std::vector<double>(static_cast<size_t>(x.cols))};
  const adahop_view t = by_rows ? x : transposed(x);
  double* const of_rows = by_rows ? v.rows.data() : v.cols.data();
  double* const of_cols = by_rows ? v.cols.data() : v.rows.data();
  if (x.dtype == ADAHOP_BF16)
    lines<uint16_t, bf16_kernel>(static_cast<const uint16_t*>(t.data), t.row_stride, t.rows, t.cols, k->row_variances_bf16,
                                 k->column_variances_bf16, of_rows, of_cols);
  else
    lines<float, f32_kernel>(static_cast<const float*>(t.data), t.row_stride, t.rows, t.cols, k->row_variances_f32,
                             k->column_variances_f32, of_rows, of_cols);
  return v;
}

}  // namespace adahop::reference::simd
