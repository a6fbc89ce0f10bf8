// Hadamard and quantize in one pass, one thread a block of 32, rows that `positions` marks taken as +0. Implements SPEC
// 6.7-6.11, 3.7.
#include "kernels/block_grid.h"
#include "kernels/butterflies.h"
#include "kernels/quantize_block.h"
#include "kernels/quantize_partials.h"

namespace adahop::hip {

template <class T, class Rounding>
ADAHOP_DEVICE_FN void hadamard_quantize(const hadamard_quantize_args& args) {
  const quantize_args& q_args = args.quantize;
  const block_position at = position_of_thread(q_args.grid);
  quantize_partial mine = {0, kNoPosition};
  if (at.inside) {
    float v[32];
    const bool zeroed = args.positions != nullptr && args.positions[at.row] != 0;
    load_block<T>(q_args.x, at.row, at.block, zeroed ? 0 : q_args.grid.length, v);
    hadamard_transform(args.transform, at.block, v);
    if (args.round_to_bf16 != 0) {
      ADAHOP_UNROLL
      for (int i = 0; i < 32; ++i) v[i] = decode_bf16({round_to_bf16(v[i])});
    }
    mine = quantize_and_store<Rounding>(q_args, at, v);
  }
  write_partial(q_args, mine);
}

ADAHOP_KERNEL(hadamard_quantize_f32, hadamard_quantize_args, 256) { hadamard_quantize<float, round_rne>(args); }
ADAHOP_KERNEL(hadamard_quantize_bf16, hadamard_quantize_args, 256) { hadamard_quantize<bf16, round_rne>(args); }
ADAHOP_KERNEL(hadamard_quantize_stochastic_f32, hadamard_quantize_args, 256) {
  hadamard_quantize<float, round_stochastic>(args);
}
ADAHOP_KERNEL(hadamard_quantize_stochastic_bf16, hadamard_quantize_args, 256) {
  hadamard_quantize<bf16, round_stochastic>(args);
}
ADAHOP_KERNEL(hadamard_quantize_sr_f32, hadamard_quantize_args, 256) {
  hadamard_quantize<float, round_gfx950_sr>(args);
}
ADAHOP_KERNEL(hadamard_quantize_sr_bf16, hadamard_quantize_args, 256) {
  hadamard_quantize<bf16, round_gfx950_sr>(args);
}

}  // namespace adahop::hip
