// Scale bytes from the linear layout into the one that feeds gfx950's matrix instruction, for the tuned products. A wave
// makes the 64 dwords of 32 rows x 8 blocks. Implements SPEC 3.5, 3.6.
#include "adahop/formats/scale_layout.h"
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_KERNEL(shuffle_scales, shuffle_scales_args, 256) {
  const int64_t group = int64_t{block_x()} * 4 + thread_x() / kWave;
  if (group * kShuffleRows >= args.rows) return;
  const int64_t units = (args.blocks + kShuffleBlocks - 1) / kShuffleBlocks;
  for (int64_t unit = block_y(); unit < units; unit += args.grid_y) {
    uint32_t dword = 0;
    for (uint32_t byte = 0; byte < 4; ++byte) {
      const int64_t row = group * kShuffleRows + lane() % 16 + 16 * (byte % 2);
      const int64_t block = unit * kShuffleBlocks + lane() / 16 + 4 * (byte / 2);
      if (row < args.rows && block < args.blocks)
        dword |= uint32_t{args.scales[row * args.stride + block]} << (8 * byte);
    }
    args.shuffled[(group * units + unit) * kWave + lane()] = dword;
  }
}

}  // namespace adahop::hip
