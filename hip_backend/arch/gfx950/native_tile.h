// A wave's part of a tile in native mode: 64 x 64 outputs in 16x16x128 instructions that chain C in ascending k, the same
// chain as mx_gemm_native_16x16x128. A dword of scales feeds the four instructions of two row halves and two K halves.
// Implements SPEC 10.24.
#pragma once
#include "arch/gfx950/mx_fragments.h"
#include "arch/gfx950/mx_store.h"

namespace adahop::hip {
class native_tile {
 public:
  using results = wave_results<64, 64>;

  /// Row and column of the tile where the wave's results `index` lie.
  ADAHOP_DEVICE_FN uint32_t row(uint32_t index) const { return row_ + index; }
  ADAHOP_DEVICE_FN uint32_t column(uint32_t index) const { return column_ + index; }

  /// A whole K step.
  ADAHOP_DEVICE_FN void multiply(const mx_stage& from) {
    uint32_t a_scales[kScaleDwords], b_scales[kScaleDwords];
    read_scales(from.a, row_, a_scales);
    read_scales(from.b, column_, b_scales);
    multiply_half<0, true>(from, a_scales, b_scales, kStageBlocks);
    multiply_half<1, true>(from, a_scales, b_scales, kStageBlocks);
  }

  /// A K step with `inside` blocks, 1 to 8. An instruction whose blocks all lie past K is left out.
  ADAHOP_DEVICE_FN void multiply_rest(const mx_stage& from, uint32_t inside) {
    uint32_t a_scales[kScaleDwords], b_scales[kScaleDwords];
    read_scales(from.a, row_, a_scales);
    read_scales(from.b, column_, b_scales);
    clear_scales_past(inside, a_scales);
    clear_scales_past(inside, b_scales);
    multiply_half<0, false>(from, a_scales, b_scales, inside);
    if (inside > 4) multiply_half<1, false>(from, a_scales, b_scales, inside);
  }

  /// The whole K. `votes` is not used: every tile runs alike.
  ADAHOP_DEVICE_FN void run(const mx_gemm_args& args, int64_t m0, int64_t n0, mx_stage& stage_0, mx_stage& stage_1,
                            uint32_t*) {
    for_each_stage(stage_loader(args, m0, n0), args.blocks, stage_0, stage_1, *this);
  }

  /// Lane l holds row l % 16 and columns 4 (l / 16) .. + 3 of each 16 x 16.
  ADAHOP_DEVICE_FN void lay_out(const results& to) const {
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kFragments; ++i) {
      ADAHOP_UNROLL
      for (uint32_t j = 0; j < kFragments; ++j) to.at(16 * i + lane() % 16, 4 * j + lane() / 16) = acc_[i][j];
    }
  }

 private:
  static constexpr uint32_t kSide = 64;                 ///< outputs of the wave along M and along N
  static constexpr uint32_t kFragments = kSide / 16;    ///< instructions along each
  static constexpr uint32_t kScaleDwords = kSide / 32;  ///< of a lane and operand in a K step

  /// The scales of a lane: dword g is for rows 32 g + lane % 16 (+ 16), block lane / 16 (+ 4).
  ADAHOP_DEVICE_FN static void read_scales(const staged_operand& from, uint32_t wave_row, uint32_t (&scales)[kScaleDwords]) {
    ADAHOP_UNROLL
    for (uint32_t g = 0; g < kScaleDwords; ++g)
      scales[g] = from.scales[staged_scale(wave_row + 32 * g + lane() % 16, lane() / 16)];
  }

  /// Makes what lies past the `inside` blocks of a step count as 2^0.
  ADAHOP_DEVICE_FN static void clear_scales_past(uint32_t inside, uint32_t (&scales)[kScaleDwords]) {
    const uint32_t block = lane() / 16;
    const uint32_t keep = (block < inside ? 0x0000FFFFu : 0u) | (block + 4 < inside ? 0xFFFF0000u : 0u);
    ADAHOP_UNROLL
    for (uint32_t& dword : scales) dword = (dword & keep) | (kUnitScales & ~keep);
  }

  /// The four blocks 4 Half .. 4 Half + 3 of a stage, one instruction for each 16 x 16 of the wave; blocks from `inside`
  /// on count as zeros.
  template <uint32_t Half, bool Whole>
  ADAHOP_DEVICE_FN void multiply_half(const mx_stage& from, const uint32_t (&a_scales)[kScaleDwords],
                                      const uint32_t (&b_scales)[kScaleDwords], uint32_t inside) {
    const uint32_t block = 4 * Half + lane() / 16;
    staged_codes a[kFragments], b[kFragments];
    ADAHOP_UNROLL
    for (uint32_t f = 0; f < kFragments; ++f) {
      a[f] = from.a.codes[staged_block(row_ + 16 * f + lane() % 16, block)];
      b[f] = from.b.codes[staged_block(column_ + 16 * f + lane() % 16, block)];
      if (!Whole && block >= inside) a[f] = b[f] = staged_codes{0, 0, 0, 0};
    }
    static_for<kFragments * kFragments>([&]<uint32_t Index>() ADAHOP_STATIC_LAMBDA {
      constexpr uint32_t i = Index / kFragments, j = Index % kFragments;
      acc_[i][j] = mfma_scaled<2 * Half + j % 2, 2 * Half + i % 2>(mfma_16x16x128{}, b[j], b_scales[j / 2], a[i],
                                                                   a_scales[i / 2], acc_[i][j]);
    });
  }

  const uint32_t row_ = wave_number() / 2 * kSide;
  const uint32_t column_ = wave_number() % 2 * kSide;
  mfma_16x16x128::results acc_[kFragments][kFragments] = {};  ///< [m][n]
};

}  // namespace adahop::hip
