// The Hadamard transform of a matrix along its inner dimension, one thread a block of 32. Implements SPEC 6.1-6.5,
// 6.10, 6.11, 3.7.
#include "kernels/block_grid.h"
#include "kernels/butterflies.h"

namespace adahop::hip {

template <class T>
ADAHOP_DEVICE_FN void hadamard(const hadamard_args& args) {
  const block_position at = position_of_thread(args.grid);
  if (!at.inside) return;
  float v[32];
  load_block<T>(args.x, at.row, at.block, args.grid.length, v);
  hadamard_transform(args.transform, at.block, v);
  store_elements(args.out, at.row, at.block, 32 * args.grid.blocks, v);
}

ADAHOP_KERNEL(hadamard_f32, hadamard_args, 256) { hadamard<float>(args); }
ADAHOP_KERNEL(hadamard_bf16, hadamard_args, 256) { hadamard<bf16>(args); }

}  // namespace adahop::hip
