// MXFP4 to F32 or BF16, one thread a block of 32. Implements SPEC 2.5, 2.6, 5.10.
#include "kernels/block_grid.h"
#include "kernels/elements.h"

namespace adahop::hip {

ADAHOP_KERNEL(dequantize, dequantize_args, 256) {
  const block_position at = position_of_thread(args.grid);
  if (!at.inside) return;
  const uint32_t scale_byte = args.x.scales[at.row * args.x.scales_stride + at.block];
  const uint8_t* const codes = args.x.codes + at.row * args.x.codes_stride + 16 * at.block;
  ADAHOP_UNROLL
  for (int i = 0; i < 16; ++i) {
    float even, odd;
    decode_fp4_pair(codes[i], scale_byte, even, odd);
    store(args.out, at.row, 32 * at.block + 2 * i, even);
    store(args.out, at.row, 32 * at.block + 2 * i + 1, odd);
  }
}

}  // namespace adahop::hip
