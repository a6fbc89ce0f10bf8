// Hadamard and quantize in one pass, one thread a block of 32, rows that `positions` marks taken as +0. Implements SPEC
// 6.7-6.9.
#include "kernels/block_grid.h"
#include "kernels/butterflies.h"
#include "kernels/quantize_block.h"
#include "kernels/quantize_partials.h"

namespace adahop::hip {

template <class T>
ADAHOP_DEVICE_FN void hadamard_quantize(const hadamard_quantize_args& args) {
  const quantize_args& q_args = args.quantize;
  const block_position at = position_of_thread(q_args.grid);
  quantize_partial mine = {0, kNoPosition};
  if (at.inside) {
    float v[32];
    if (args.positions != nullptr && args.positions[at.row] != 0) {
      ADAHOP_UNROLL
      for (int i = 0; i < 32; ++i) v[i] = 0.0f;
    } else {
      load_block<T>(q_args.x, at.row, at.block, v);
    }
    hadamard_32(v);
    if (args.round_to_bf16 != 0) {
      ADAHOP_UNROLL
      for (int i = 0; i < 32; ++i) v[i] = decode_bf16({round_to_bf16(v[i])});
    }
    quantized_block q;
    quantize_block(v, q_args.rule, q_args.min_scale_byte, q);
    store_block(q_args.out, at.row, at.block, q);
    mine = partial_of(q, q_args.grid, at);
  }
  write_partial(q_args, mine);
}

ADAHOP_KERNEL(hadamard_quantize_f32, hadamard_quantize_args, 256) { hadamard_quantize<float>(args); }
ADAHOP_KERNEL(hadamard_quantize_bf16, hadamard_quantize_args, 256) { hadamard_quantize<bf16>(args); }

}  // namespace adahop::hip
