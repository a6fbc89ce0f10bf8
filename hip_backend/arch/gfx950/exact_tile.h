// A wave's part of a tile under block_rne: 32 rows x 128 columns in 32x32x64 instructions. An instruction multiplies one of
// its two K blocks, the lanes of A's other block zeroed, from C = 0; the FP32 pipe adds its result to the accumulator in
// ascending k. Implements SPEC 10.1-10.7.
//
// Where the tile's scales allow it (scale_range.h) the instruction scales, and a term costs half a packed addition; else
// it multiplies with both scales 2^0 and the term is that of block_term.h. The bits are the same.
#pragma once
#include "arch/gfx950/mx_fragments.h"
#include "arch/gfx950/mx_store.h"
#include "arch/gfx950/scale_range.h"
#include "kernels/block_term.h"

namespace adahop::hip {
// Rows of an operand in an instruction: lanes 0-15 of each half of the wave have rows 0-15 of a 32-row group and lanes
// 16-31 the same of the next group (even fragments), or both have rows 16-31 (odd ones). So one byte number, op_sel, fits
// all lanes, and a dword of scales serves two fragments and two K halves.
ADAHOP_DEVICE_FN uint32_t permuted_row(uint32_t fragment, uint32_t index) {
  return fragment / 2 * 64 + index / 16 * 32 + fragment % 2 * 16 + index % 16;
}

/// ReadsApart: see read_scales(); it takes registers, which a kernel near 256 of them has not.
template <bool ReadsApart>
class exact_tile {
 public:
  using results = wave_results<32, kStageRows>;

  /// Row and column of the tile where the wave's results `index` lie.
  ADAHOP_DEVICE_FN uint32_t row(uint32_t index) const { return permuted_row(wave_, index); }
  ADAHOP_DEVICE_FN uint32_t column(uint32_t index) const { return index; }

  /// A whole K step, the instruction scaling. Before an instruction stand the additions of the one kInFlight before it,
  /// whose result is there by then; codes of the next two blocks are read as soon as their registers are free.
  ADAHOP_DEVICE_FN void multiply(const mx_stage& from) {
    constexpr uint32_t kPairs = kStageBlocks / 2, kInPair = 2 * kFragments;
    const step_scales scales = read_scales(from);
    staged_codes a = read_a(from, 0);
    staged_codes b[kFragments];
    static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA { b[F] = read_b(from, 0, F); });
    dot_tile dots[kInFlight];
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
        const staged_codes b = from.b.codes[staged_block(permuted_row(F, index), block)];
        const dot_tile d = mfma_scaled<0, 0>(mfma_32x32x64{}, b, unit, a, unit, dot_tile{});
        ADAHOP_UNROLL
        for (uint32_t r = 0; r < kResults; ++r) {
          const uint32_t b_scale = from.b.scales[staged_scale(result_column(F, r), block)] >> (shift + F % 2 * 8) & 0xFFu;
          // + 0 turns a -0 of the instruction into +0: a zero dot must not keep the sign of a zero accumulator.
          acc_[F][r] = add_block_term(acc_[F][r], d[r] + 0.0f, a_scale, b_scale);
        }
        __builtin_amdgcn_sched_barrier(0);
      });
    }
  }

  /// The whole K. `votes` is shared memory for kStageWaves words.
  ADAHOP_DEVICE_FN void run(const mx_gemm_args& args, int64_t m0, int64_t n0, mx_stage& stage_0, mx_stage& stage_1,
                            uint32_t* votes) {
    const stage_loader loader(args, m0, n0);
    if (instruction_may_scale(args, m0, n0, votes)) {
      for_each_stage(loader, args.blocks, stage_0, stage_1, *this);
    } else {
      for (int64_t step = 0; step * kStageBlocks < args.blocks; ++step) {
        loader.load_rest(step, stage_0);
        finish_stage();
        multiply_any(stage_0, blocks_inside(step, args.blocks));
        ADAHOP_BARRIER();
      }
    }
  }

  ADAHOP_DEVICE_FN void lay_out(const results& to) const {
    static_for<kFragments>([&]<uint32_t F>() ADAHOP_STATIC_LAMBDA {
      ADAHOP_UNROLL
      for (uint32_t r = 0; r < kResults; r += 4)
        to.at(lane() % 32, result_column(F, r) / 4) =
            result_quad{acc_[F][r], acc_[F][r + 1], acc_[F][r + 2], acc_[F][r + 3]};
    });
  }

 private:
  static constexpr uint32_t kFragments = kStageRows / 32;  ///< instructions along N
  static constexpr uint32_t kInFlight = 2;                 ///< of them at a time
  static constexpr uint32_t kResults = mfma_32x32x64::kResults;
  using dot_tile = mfma_32x32x64::results;

  /// The scales of blocks b and b + 4, b = 0..3, the same in both halves of the wave: a zeroed block has the scale of
  /// the other one, so that it cannot even set an alignment.
  struct step_scales {
    uint32_t a[4];
    uint32_t b[kFragments / 2][4];
  };

  /// Column of the tile of this lane's result r in fragment f; four at a time are neighbours.
  ADAHOP_DEVICE_FN static uint32_t result_column(uint32_t f, uint32_t r) {
    return permuted_row(f, mfma_32x32x64::result_row(lane(), r));
  }

  ADAHOP_DEVICE_FN step_scales read_scales(const mx_stage& from) const {
    step_scales out;
    const uint32_t index = lane() % 32;
    ADAHOP_UNROLL
    for (uint32_t block = 0; block < 4; ++block) {
      // The byte of this wave's fragment becomes byte 0 (2 for block + 4).
      out.a[block] = from.a.scales[staged_scale(row(index), block)] >> (8 * (wave_ % 2));
      ADAHOP_UNROLL
      for (uint32_t pair = 0; pair < kFragments / 2; ++pair) {
        uint32_t at = staged_scale(permuted_row(2 * pair, index), block);
        // Of reads at one address and an offset, clang 22 forgets that direct loads cannot be under way to them, and waits
        // for all loads before the first product; an address of its own keeps loads and products overlapped.
        if (ReadsApart && pair != 0) asm("" : "+v"(at));
        out.b[pair][block] = from.b.scales[at];
      }
    }
    return out;
  }

  /// Two K blocks of an operand: lanes 0-31 hold the even one, lanes 32-63 the odd one.
  ADAHOP_DEVICE_FN staged_codes read_a(const mx_stage& from, uint32_t pair) const {
    return from.a.codes[staged_block(row(lane() % 32), 2 * pair + lane() / 32)];
  }
  ADAHOP_DEVICE_FN static staged_codes read_b(const mx_stage& from, uint32_t pair, uint32_t fragment) {
    return from.b.codes[staged_block(permuted_row(fragment, lane() % 32), 2 * pair + lane() / 32)];
  }

  /// The even (0) or odd (1) one of two blocks, the other zeroed.
  template <uint32_t Odd>
  ADAHOP_DEVICE_FN static staged_codes block_of(staged_codes pair) {
    return lane() / 32 == Odd ? pair : staged_codes{0, 0, 0, 0};
  }

  /// The terms of K block `Block` in fragment F.
  template <uint32_t Block, uint32_t F>
  ADAHOP_DEVICE_FN static dot_tile multiply_one(staged_codes a, staged_codes b, const step_scales& scales) {
    constexpr uint32_t kHalf = Block / 4;
    return mfma_scaled<2 * kHalf + F % 2, 2 * kHalf>(mfma_32x32x64{}, b, scales.b[F / 2][Block % 4], a,
                                                     scales.a[Block % 4], dot_tile{});
  }

  const uint32_t wave_ = wave_number();  ///< its rows of A are those of fragment wave_
  dot_tile acc_[kFragments] = {};      ///< of this lane's row: result_column(f, r); never -0 while the instruction scales
};

}  // namespace adahop::hip
