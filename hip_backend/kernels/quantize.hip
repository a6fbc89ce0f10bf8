// Quantize a matrix to MXFP4, one thread a block of 32. Implements SPEC chapter 5, 3.7.
#include "kernels/block_grid.h"
#include "kernels/quantize_block.h"
#include "kernels/quantize_partials.h"

namespace adahop::hip {

template <class T, class Rounding>
ADAHOP_DEVICE_FN void quantize(const quantize_args& args) {
  const block_position at = position_of_thread(args.grid);
  quantize_partial mine = {0, kNoPosition};
  if (at.inside) {
    float v[32];
    load_block<T>(args.x, at.row, at.block, args.grid.length, v);
    mine = quantize_and_store<Rounding>(args, at, v);
  }
  write_partial(args, mine);
}

ADAHOP_KERNEL(quantize_f32, quantize_args, 256) { quantize<float, round_rne>(args); }
ADAHOP_KERNEL(quantize_bf16, quantize_args, 256) { quantize<bf16, round_rne>(args); }
ADAHOP_KERNEL(quantize_stochastic_f32, quantize_args, 256) { quantize<float, round_stochastic>(args); }
ADAHOP_KERNEL(quantize_stochastic_bf16, quantize_args, 256) { quantize<bf16, round_stochastic>(args); }
ADAHOP_KERNEL(quantize_sr_f32, quantize_args, 256) { quantize<float, round_gfx950_sr>(args); }
ADAHOP_KERNEL(quantize_sr_bf16, quantize_args, 256) { quantize<bf16, round_gfx950_sr>(args); }

}  // namespace adahop::hip
