// MXFP4 to F32 or BF16, one thread a block of 32. Implements SPEC 2.5, 2.6, 5.10, 3.7.
#include "kernels/block_grid.h"
#include "kernels/elements.h"
#include "kernels/scale_byte.h"

namespace adahop::hip {

ADAHOP_KERNEL(dequantize, dequantize_args, 256) {
  const block_position at = position_of_thread(args.grid);
  if (!at.inside) return;
  const uint32_t scale_byte = args.x.scales[scale_offset(args.x, at.row, at.block)];
  fp4_block codes;
  __builtin_memcpy(&codes, args.x.codes + at.row * args.x.codes_stride + 16 * at.block, sizeof codes);
  float v[32];
  ADAHOP_UNROLL
  for (int i = 0; i < 16; ++i)
    decode_fp4_pair(codes.words[i / 4] >> (8 * (i % 4)) & 0xFFu, scale_byte, v[2 * i], v[2 * i + 1]);
  store_elements(args.out, at.row, at.block, args.grid.length, v);
}

}  // namespace adahop::hip
