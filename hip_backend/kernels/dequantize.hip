// MXFP4 to F32 or BF16, one thread a block of 32. Implements SPEC 2.5, 2.6, 5.10, 3.7.
#include "kernels/block_grid.h"
#include "kernels/elements.h"
#include "kernels/scale_byte.h"

namespace adahop::hip {

ADAHOP_KERNEL(dequantize, dequantize_args, 256) {
  const block_position at = position_of_thread(args.grid);
  if (!at.inside) return;
  const uint32_t scale_byte = args.x.scales[scale_offset(args.x, at.row, at.block)];
  const uint8_t* const codes = args.x.codes + at.row * args.x.codes_stride + 16 * at.block;
  ADAHOP_UNROLL
  for (int i = 0; i < 16; ++i) {
    const int64_t column = 32 * at.block + 2 * i;
    float even, odd;
    decode_fp4_pair(codes[i], scale_byte, even, odd);
    if (column < args.grid.length) store(args.out, at.row, column, even);
    if (column + 1 < args.grid.length) store(args.out, at.row, column + 1, odd);
  }
}

}  // namespace adahop::hip
