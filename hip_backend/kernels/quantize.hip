// Quantize a matrix to MXFP4, one thread a block of 32. Implements SPEC chapter 5.
#include "kernels/block_grid.h"
#include "kernels/quantize_block.h"
#include "kernels/quantize_partials.h"

namespace adahop::hip {

template <class T>
ADAHOP_DEVICE_FN void quantize(const quantize_args& args) {
  const block_position at = position_of_thread(args.grid);
  quantize_partial mine = {0, kNoPosition};
  if (at.inside) {
    float v[32];
    load_block<T>(args.x, at.row, at.block, v);
    quantized_block q;
    quantize_block(v, args.rule, args.min_scale_byte, q);
    store_block(args.out, at.row, at.block, q);
    mine = partial_of(q, args.grid, at);
  }
  write_partial(args, mine);
}

ADAHOP_KERNEL(quantize_f32, quantize_args, 256) { quantize<float>(args); }
ADAHOP_KERNEL(quantize_bf16, quantize_args, 256) { quantize<bf16>(args); }

}  // namespace adahop::hip
