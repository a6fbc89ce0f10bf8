// The MXFP4 product in native mode: the matrix instruction takes all its K blocks at once, each lane supplying the
// scale of its own block, and chains C. K is filled to whole instructions with zero codes of scale 2^0. Implements SPEC
// 10.24.
#include "kernels/mx_tile.h"

namespace adahop::hip {

template <class Mma>
ADAHOP_DEVICE_FN void mx_gemm_native(const mx_gemm_native_args& native) {
  const mx_gemm_args& args = native.product;
  constexpr uint32_t kFragments = kWaveRows / Mma::kRows;
  const shared_tile tile = declare_tile();
  const tile_place at = place_in_tile();
  float acc[kFragments][kFragments][Mma::kResults] = {};
  for (int64_t k0 = 0; k0 < args.blocks; k0 += kTileBlocks) {
    stage_tile(args, at, k0, tile);
    ADAHOP_BARRIER();
    // An instruction whose blocks all lie past K is left out.
    for (uint32_t kb = 0; kb < kTileBlocks && k0 + kb < args.blocks; kb += Mma::kBlocks) {
      const uint32_t lane_block = kb + Mma::input_block(lane());
      scaled_block a[kFragments], b[kFragments];
      ADAHOP_UNROLL
      for (uint32_t f = 0; f < kFragments; ++f) {
        const uint32_t row = f * Mma::kRows + Mma::input_row(lane());
        const uint32_t in_a = (at.wave_row + row) * kTileBlocks + lane_block;
        const uint32_t in_b = (at.wave_column + row) * kTileBlocks + lane_block;
        a[f].codes = tile.a_codes.at(in_a);
        b[f].codes = tile.b_codes.at(in_b);
        a[f].scale_byte = tile.a_scales.at(in_a);
        b[f].scale_byte = tile.b_scales.at(in_b);
      }
      ADAHOP_UNROLL
      for (uint32_t j = 0; j < kFragments; ++j) {
        ADAHOP_UNROLL
        for (uint32_t i = 0; i < kFragments; ++i) Mma::accumulate(a[i], b[j], native.model, acc[i][j]);
      }
    }
    ADAHOP_BARRIER();
  }
  store_tile<Mma>(args, at, acc);
}

ADAHOP_KERNEL(mx_gemm_native_16x16x128, mx_gemm_native_args, 256) { mx_gemm_native<mma_16x16x128>(args); }
ADAHOP_KERNEL(mx_gemm_native_32x32x64, mx_gemm_native_args, 256) { mx_gemm_native<mma_32x32x64>(args); }

}  // namespace adahop::hip
