// The MXFP4 product under block_rne on matrix cores: 128 x 128 outputs a thread block, four waves of 32 rows x 128
// columns in 32x32x64 instructions, staged as in mx_stage.h. An instruction multiplies one of its two K blocks, the lanes
// of A's other block zeroed, from C = 0; the FP32 pipe adds its result to the accumulator in ascending k. Scales must lie
// as in SPEC 3.5. Implements SPEC 10.1-10.8.
//
// Where the tile's scales allow it (scale_range.h) the instruction scales, and a term costs half a packed addition; else
// it multiplies with both scales 2^0 and the term is that of block_term.h. The bits are the same.
#include "arch/gfx950/mx_fragments.h"
#include "arch/gfx950/mx_store.h"
#include "arch/gfx950/scale_range.h"
#include "arch/gfx950/tuned_kernel.h"
#include "kernels/block_term.h"

namespace adahop::hip {
namespace {

constexpr uint32_t kFragments = kStageRows / 32;  // instructions along N
constexpr uint32_t kInFlight = 2;                 // of them at a time
constexpr uint32_t kResults = mfma_32x32x64::kResults;
using results_32 = mfma_32x32x64::results;

// Rows of an operand in an instruction: lanes 0-15 of each half of the wave have rows 0-15 of a 32-row group and lanes
// 16-31 the same of the next group (even fragments), or both have rows 16-31 (odd ones). So one byte number, op_sel, fits
// all lanes, and a dword of scales serves two fragments and two K halves.
ADAHOP_DEVICE_FN uint32_t row_of(uint32_t fragment, uint32_t index) {
  return fragment / 2 * 64 + index / 16 * 32 + fragment % 2 * 16 + index % 16;
}

class exact_tile {
 public:
  /// Row of the tile that is row `index` of the wave's results.
  ADAHOP_DEVICE_FN uint32_t row(uint32_t index) const { return row_of(wave_, index); }

  /// A whole K step, the instruction scaling. Before an instruction stand the additions of the one kInFlight before it,
  /// whose result is there by then; codes of the next two blocks are read as soon as their registers are free.
  ADAHOP_DEVICE_FN void multiply(const mx_stage& from) {
    constexpr uint32_t kPairs = kStageBlocks / 2, kInPair = 2 * kFragments;
    const step_scales scales = read_scales(from);
    staged_codes a = read_a(from, 0);
    staged_codes b[kFragments];
    static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA { b[F] = read_b(from, 0, F); });
    results_32 dots[kInFlight];
    static_for<kPairs>([&]<uint32_t Pair>() ADAHOP_STATIC_LAMBDA {
      const staged_codes a_of[2] = {block_of<0>(a), block_of<1>(a)};
      static_for<kInPair>([&]<uint32_t Index>() ADAHOP_STATIC_LAMBDA {
        constexpr uint32_t kAt = Pair * kInPair + Index, kBlock = kAt / kFragments, kF = kAt % kFragments;
        if constexpr (kAt >= kInFlight) acc_[(kAt - kInFlight) % kFragments] += dots[kAt % kInFlight];
        dots[kAt % kInFlight] = multiply_one<kBlock, kF>(a_of[kBlock % 2], b[kF], scales);
        if constexpr (Pair + 1 < kPairs && Index == kFragments - 1) a = read_a(from, Pair + 1);
        if constexpr (Pair + 1 < kPairs && Index >= kFragments) b[kF] = read_b(from, Pair + 1, kF);
        __builtin_amdgcn_sched_barrier(0);
      });
    });
    ADAHOP_UNROLL
    for (uint32_t i = kInFlight; i > 0; --i) acc_[kFragments - i] += dots[kInFlight - i];
  }

  /// The first `inside` blocks of a K step, the instruction scaling.
  ADAHOP_DEVICE_FN void multiply_rest(const mx_stage& from, uint32_t inside) {
    const step_scales scales = read_scales(from);
    static_for<kStageBlocks>([&]<uint32_t Block>() ADAHOP_STATIC_LAMBDA {
      if (Block >= inside) return;
      const staged_codes a = block_of<Block % 2>(read_a(from, Block / 2));
      static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA {
        acc_[F] += multiply_one<Block, F>(a, read_b(from, Block / 2, F), scales);
      });
    });
  }

  /// The same with any scales: unit scales in the instruction, the term by block_term.h.
  ADAHOP_DEVICE_FN void multiply_any(const mx_stage& from, uint32_t inside) {
    const uint32_t unit = static_cast<uint32_t>(mfma_scale(kE8m0Bias));
    const uint32_t index = lane() % 32;
#pragma unroll 1
    for (uint32_t block = 0; block < inside; ++block) {
      staged_codes a = {0, 0, 0, 0};
      if (lane() / 32 == block % 2) a = from.a.codes[staged_block(row(index), block)];
      const uint32_t shift = block / 4 * 16;  // to the byte of even fragments
      const uint32_t a_scale = from.a.scales[staged_scale(row(index), block)] >> (shift + wave_ % 2 * 8) & 0xFFu;
      static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA {
        const staged_codes b = from.b.codes[staged_block(row_of(F, index), block)];
        const results_32 d = mfma_scaled<0, 0>(mfma_32x32x64{}, b, unit, a, unit, results_32{});
        ADAHOP_UNROLL
        for (uint32_t r = 0; r < kResults; ++r) {
          const uint32_t b_scale = from.b.scales[staged_scale(column(F, r), block)] >> (shift + F % 2 * 8) & 0xFFu;
          // + 0 turns a -0 of the instruction into +0: a zero dot must not keep the sign of a zero accumulator.
          acc_[F][r] = add_block_term(acc_[F][r], d[r] + 0.0f, a_scale, b_scale);
        }
        __builtin_amdgcn_sched_barrier(0);
      });
    }
  }

  ADAHOP_DEVICE_FN void lay_out(const wave_results<32, kStageRows>& results) const {
    static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA {
      ADAHOP_UNROLL
      for (uint32_t r = 0; r < kResults; r += 4)
        results.at(lane() % 32, column(F, r) / 4) =
            result_quad{acc_[F][r], acc_[F][r + 1], acc_[F][r + 2], acc_[F][r + 3]};
    });
  }

 private:
  /// The scales of blocks b and b + 4, b = 0..3, the same in both halves of the wave: a zeroed block has the scale of
  /// the other one, so that it cannot even set an alignment.
  struct step_scales {
    uint32_t a[4];
    uint32_t b[kFragments / 2][4];
  };

  /// Column of the tile of this lane's result r in fragment f; four at a time are neighbours.
  ADAHOP_DEVICE_FN static uint32_t column(uint32_t f, uint32_t r) {
    return row_of(f, mfma_32x32x64::result_row(lane(), r));
  }

  ADAHOP_DEVICE_FN step_scales read_scales(const mx_stage& from) const {
    step_scales out;
    const uint32_t index = lane() % 32;
    ADAHOP_UNROLL
    for (uint32_t block = 0; block < 4; ++block) {
      // The byte of this wave's fragment becomes byte 0 (2 for block + 4).
      out.a[block] = from.a.scales[staged_scale(row(index), block)] >> (8 * (wave_ % 2));
      ADAHOP_UNROLL
      for (uint32_t pair = 0; pair < kFragments / 2; ++pair)
        out.b[pair][block] = from.b.scales[staged_scale(row_of(2 * pair, index), block)];
    }
    return out;
  }

  /// Two K blocks of an operand: lanes 0-31 hold the even one, lanes 32-63 the odd one.
  ADAHOP_DEVICE_FN staged_codes read_a(const mx_stage& from, uint32_t pair) const {
    return from.a.codes[staged_block(row(lane() % 32), 2 * pair + lane() / 32)];
  }
  ADAHOP_DEVICE_FN static staged_codes read_b(const mx_stage& from, uint32_t pair, uint32_t fragment) {
    return from.b.codes[staged_block(row_of(fragment, lane() % 32), 2 * pair + lane() / 32)];
  }

  /// The even (0) or odd (1) one of two blocks, the other zeroed.
  template <uint32_t Odd>
  ADAHOP_DEVICE_FN static staged_codes block_of(staged_codes pair) {
    return lane() / 32 == Odd ? pair : staged_codes{0, 0, 0, 0};
  }

  /// The terms of K block `Block` in fragment F.
  template <uint32_t Block, uint32_t F>
  ADAHOP_DEVICE_FN static results_32 multiply_one(staged_codes a, staged_codes b, const step_scales& scales) {
    constexpr uint32_t kHalf = Block / 4;
    return mfma_scaled<2 * kHalf + F % 2, 2 * kHalf>(mfma_32x32x64{}, b, scales.b[F / 2][Block % 4], a,
                                                     scales.a[Block % 4], results_32{});
  }

  const uint32_t wave_ = wave_number();  ///< its rows of A are those of fragment wave_
  results_32 acc_[kFragments] = {};      ///< of this lane's row: column(f, r); never -0 while the instruction scales
};

}  // namespace

ADAHOP_TUNED_KERNEL(tuned_mx_gemm, mx_gemm_args) {
  static __attribute__((shared)) mx_stage stage_0, stage_1;
  static __attribute__((shared)) uint32_t votes[kStageWaves];
  const int64_t m0 = int64_t{block_x()} * kStageRows;
  const int64_t n0 = int64_t{block_y()} * kStageRows;
  const stage_loader loader(args, m0, n0);
  exact_tile tile;
  if (instruction_may_scale(args, m0, n0, votes)) {
    for_each_stage(loader, args.blocks, stage_0, stage_1, tile);
  } else {
    for (int64_t step = 0; step * kStageBlocks < args.blocks; ++step) {
      loader.load_rest(step, stage_0);
      finish_stage();
      tile.multiply_any(stage_0, blocks_inside(step, args.blocks));
      ADAHOP_BARRIER();
    }
  }
  finish_stage();
  const wave_results<32, kStageRows> results(stage_0, stage_1);
  tile.lay_out(results);
  ADAHOP_BARRIER();
  store_results(
      args, results, [&](uint32_t index) { return m0 + tile.row(index); }, n0,
      [](int64_t, int64_t, result_quad v) { return v; });
}

}  // namespace adahop::hip
