// Copies chosen rows of a BF16 matrix into a compact one, bits unchanged. Implements SPEC 9.6.
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_KERNEL(gather_outliers, gather_outliers_args, 256) {
  const int64_t column = int64_t{block_y()} * 256 + thread_x();
  if (column >= args.length) return;
  const int64_t row = args.indices[block_x()];
  const int64_t from = row * args.x.row_stride + column * args.x.col_stride;
  const int64_t to = int64_t{block_x()} * args.out.row_stride + column * args.out.col_stride;
  static_cast<uint16_t*>(args.out.data)[to] = static_cast<const uint16_t*>(args.x.data)[from];
}

}  // namespace adahop::hip
