// What the MX products share: the tile of a thread block, its staging in shared memory, the store of a wave's results.
// Decides order of work only. 64 x 64 outputs a thread block, four waves of 32 x 32, K in steps of four blocks.
#pragma once
#include "adahop/formats/e8m0.h"
#include "kernels/elements.h"
#include "kernels/scale_byte.h"

namespace adahop::hip {

inline constexpr uint32_t kTileRows = 64;
inline constexpr uint32_t kTileBlocks = 4;
inline constexpr uint32_t kWaveRows = 32;

/// This thread's place in the tile.
struct tile_place {
  int64_t m0, n0;                    ///< first row of A and of B
  uint32_t wave_row, wave_column;    ///< this wave's corner in the tile
  uint32_t staged_row, staged_block; ///< the block of A and of B that this thread stages
};

ADAHOP_DEVICE_FN tile_place place_in_tile() {
  const uint32_t wave = thread_x() / kWave;
  return {int64_t{block_x()} * kTileRows, int64_t{block_y()} * kTileRows, (wave / 2) * kWaveRows,
          (wave % 2) * kWaveRows,         thread_x() / kTileBlocks,       thread_x() % kTileBlocks};
}

/// The block of row `row` (of `rows`) at K block `block` (of `blocks`); zeros with scale 2^0 outside.
ADAHOP_DEVICE_FN fp4_block load_mx_block(const mx_in& x, int64_t row, int64_t rows, int64_t block, int64_t blocks,
                                         uint32_t& scale) {
  fp4_block codes = {{0, 0, 0, 0}};
  scale = kE8m0Bias;
  if (row < rows && block < blocks) {
    __builtin_memcpy(&codes, x.codes + row * x.codes_stride + 16 * block, sizeof codes);
    scale = x.scales[scale_offset(x, row, block)];
  }
  return codes;
}

/// Stores fragment (i, j) of a wave, the elements inside the product.
template <class Mma>
ADAHOP_DEVICE_FN void store_fragment(const mx_gemm_args& args, const tile_place& at, uint32_t i, uint32_t j,
                                     const float (&values)[Mma::kResults]) {
  const int64_t column = at.n0 + at.wave_column + j * Mma::kRows + Mma::result_column(lane());
  ADAHOP_UNROLL
  for (uint32_t r = 0; r < Mma::kResults; ++r) {
    const int64_t row = at.m0 + at.wave_row + i * Mma::kRows + Mma::result_row(lane(), r);
    if (row < args.m && column < args.n) store(args.out, row, column, values[r]);
  }
}

}  // namespace adahop::hip
