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

/// The tile's blocks and scale bytes in shared memory: K block kb of row r at [r * kTileBlocks + kb].
struct shared_tile {
  shared_array<fp4_block> a_codes, b_codes;
  shared_array<uint32_t> a_scales, b_scales;
};

ADAHOP_DEVICE_FN shared_tile declare_tile() {
  ADAHOP_SHARED(fp4_block, a_codes, kTileRows * kTileBlocks);
  ADAHOP_SHARED(fp4_block, b_codes, kTileRows * kTileBlocks);
  ADAHOP_SHARED(uint32_t, a_scales, kTileRows * kTileBlocks);
  ADAHOP_SHARED(uint32_t, b_scales, kTileRows * kTileBlocks);
  return {a_codes, b_codes, a_scales, b_scales};
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

/// Stages this thread's part of the K blocks from k0 on: one block of A and one of B. The caller sets barriers around.
ADAHOP_DEVICE_FN void stage_tile(const mx_gemm_args& args, const tile_place& at, int64_t k0, const shared_tile& tile) {
  uint32_t scale_a, scale_b;
  const int64_t block = k0 + at.staged_block;
  tile.a_codes.at(thread_x()) = load_mx_block(args.a, at.m0 + at.staged_row, args.m, block, args.blocks, scale_a);
  tile.b_codes.at(thread_x()) = load_mx_block(args.b, at.n0 + at.staged_row, args.n, block, args.blocks, scale_b);
  tile.a_scales.at(thread_x()) = scale_a;
  tile.b_scales.at(thread_x()) = scale_b;
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

/// Stores the wave's fragments, the elements inside the product.
template <class Mma, uint32_t Fragments>
ADAHOP_DEVICE_FN void store_tile(const mx_gemm_args& args, const tile_place& at,
                                 const float (&values)[Fragments][Fragments][Mma::kResults]) {
  ADAHOP_UNROLL
  for (uint32_t i = 0; i < Fragments; ++i) {
    ADAHOP_UNROLL
    for (uint32_t j = 0; j < Fragments; ++j) store_fragment<Mma>(args, at, i, j, values[i][j]);
  }
}

}  // namespace adahop::hip
