// Adds the outlier product to the MX part at chosen rows or columns and rounds to the output type. A thread block covers
// 4 rows x 64 columns. Implements SPEC 10.8, 10.10.
#include "kernels/elements.h"

namespace adahop::hip {

ADAHOP_KERNEL(scatter_add, scatter_add_args, 256) {
  const int64_t row = int64_t{block_x()} * 4 + thread_x() / 64;
  const int64_t column = int64_t{block_y()} * 64 + thread_x() % 64;
  if (row >= args.m || column >= args.n) return;
  float value = load<float>(args.c, row, column);
  const int64_t place = args.positions[args.by_rows != 0 ? row : column];
  if (place != 0) {
    const int64_t line = place - 1;
    value += args.by_rows != 0 ? load<float>(args.outlier, line, column) : load<float>(args.outlier, row, line);
  }
  store(args.out, row, column, value);
}

}  // namespace adahop::hip
