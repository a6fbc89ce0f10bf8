// How an operation walks over a strided matrix: contiguous pieces of rows, read where they lie or staged, tile by tile, in
// a buffer of the thread. Pieces are spread over threads; whatever the order, each is computed whole by one of them.
#pragma once
#include <algorithm>

#include "reference/extent.h"
#include "reference/parallel.h"
#include "reference/simd/isa.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {

/// `count` values of one row from `column` on, whole groups of the largest transform or up to the row's end.
struct piece {
  int64_t row, column, count;
};

inline constexpr int64_t kPieceValues = 1 << 14;  ///< of a task: 64 KB of FP32, so that a thread's data stays in its L2

/// Calls body(task's Local, piece, const T* values) for the rows of x [rows x inner], inner >= x.cols the extended
/// dimension (columns beyond the view are +0), then done(Local) when a task's pieces are through. T is float or uint16_t
/// (BF16 bits) as x.dtype says.
template <class T, class Local, class Body, class Done>
void for_each_piece(const kernel_table& k, const adahop_view& x, int64_t inner, const Body& body, const Done& done) {
  if (x.rows == 0 || inner == 0) return;
  const bool direct = x.col_stride == 1 || x.cols <= 1;
  const int64_t columns = std::min(inner, direct ? kPieceValues : kStagedColumns);
  const int64_t rows = direct ? std::max<int64_t>(1, kPieceValues / columns) : kStagedRows;
  const int64_t across = (inner + columns - 1) / columns;
  const int64_t tasks = (x.rows + rows - 1) / rows * across;
  for_each_index(tasks, rows * columns, [&](int64_t task) {
    Local local{};
    alignas(64) T staged[kStagedRows * kStagedColumns];
    const int64_t r0 = task / across * rows, r1 = std::min(r0 + rows, x.rows);
    const int64_t c0 = task % across * columns, c1 = std::min(c0 + columns, inner);
    const auto from_buffer = [&](int64_t row, int64_t n, int64_t first, int64_t end) {
      stage(k, x, row, n, first, end - first, staged);
      for (int64_t r = 0; r < n; ++r) body(local, piece{row + r, first, end - first}, staged + r * (end - first));
    };
    if (direct) {
      // What lies in the view as whole groups is read there, the rest of the row from a padded copy.
      const int64_t whole = std::clamp(x.cols == inner ? inner : x.cols / kMaxGroup * kMaxGroup, c0, c1);
      for (int64_t r = r0; r < r1; ++r) {
        if (whole > c0) body(local, piece{r, c0, whole - c0}, row_of<T>(x, r) + c0);
        for (int64_t c = whole; c < c1; c += kStagedColumns) from_buffer(r, 1, c, std::min(c + kStagedColumns, c1));
      }
    } else {
      from_buffer(r0, r1 - r0, c0, c1);
    }
    done(local);
  });
}

}  // namespace adahop::reference::simd
