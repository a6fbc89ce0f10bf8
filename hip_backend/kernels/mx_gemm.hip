// The MXFP4 product under block_rne. A matrix instruction multiplies one K block at a time, the lanes of its other
// blocks zeroed, so that its result is the exact S / 4; the accumulation is ordinary FP32 in ascending k. Implements SPEC
// 10.1-10.8.
#include "kernels/block_term.h"
#include "kernels/mx_tile.h"

namespace adahop::hip {

template <class Mma>
ADAHOP_DEVICE_FN void mx_gemm(const mx_gemm_args& args) {
  constexpr uint32_t kFragments = kWaveRows / Mma::kRows;
  const shared_tile tile = declare_tile();
  const tile_place at = place_in_tile();
  float acc[kFragments][kFragments][Mma::kResults] = {};
  for (int64_t k0 = 0; k0 < args.blocks; k0 += kTileBlocks) {
    stage_tile(args, at, k0, tile);
    ADAHOP_BARRIER();
    const uint32_t here = args.blocks - k0 < kTileBlocks ? static_cast<uint32_t>(args.blocks - k0) : kTileBlocks;
    for (uint32_t kb = 0; kb < here; ++kb) {
      const bool mine = Mma::input_block(lane()) == kb % Mma::kBlocks;
      fp4_block a[kFragments] = {};
      fp4_block b[kFragments] = {};
      ADAHOP_UNROLL
      for (uint32_t f = 0; f < kFragments; ++f) {
        const uint32_t row = f * Mma::kRows + Mma::input_row(lane());
        if (mine) a[f] = tile.a_codes.at((at.wave_row + row) * kTileBlocks + kb);
        if (mine) b[f] = tile.b_codes.at((at.wave_column + row) * kTileBlocks + kb);
      }
      ADAHOP_UNROLL
      for (uint32_t j = 0; j < kFragments; ++j) {
        const uint32_t column = at.wave_column + j * Mma::kRows + Mma::result_column(lane());
        const uint32_t column_scale = tile.b_scales.at(column * kTileBlocks + kb);
        ADAHOP_UNROLL
        for (uint32_t i = 0; i < kFragments; ++i) {
          float quarter_dots[Mma::kResults];
          Mma::multiply(a[i], b[j], quarter_dots);
          ADAHOP_UNROLL
          for (uint32_t r = 0; r < Mma::kResults; ++r) {
            const uint32_t row = at.wave_row + i * Mma::kRows + Mma::result_row(lane(), r);
            // + 0 turns a -0 of the instruction into +0: a zero dot must not keep the sign of a zero accumulator.
            const float quarter_dot = quarter_dots[r] + 0.0f;
            const uint32_t row_scale = tile.a_scales.at(row * kTileBlocks + kb);
            acc[i][j][r] = add_block_term(acc[i][j][r], quarter_dot, row_scale, column_scale);
          }
        }
      }
    }
    ADAHOP_BARRIER();
  }
  store_tile<Mma>(args, at, acc);
}

ADAHOP_KERNEL(mx_gemm_16x16x128, mx_gemm_args, 256) { mx_gemm<mma_16x16x128>(args); }
ADAHOP_KERNEL(mx_gemm_32x32x64, mx_gemm_args, 256) { mx_gemm<mma_32x32x64>(args); }

}  // namespace adahop::hip
