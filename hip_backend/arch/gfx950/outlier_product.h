// The BF16 outlier product of one tile on the FP32 pipe: chosen rows of A (or columns of the product, rows of B) that fall
// into the tile, times the 128 rows of the other operand there, each output one chain of fma in ascending k. Implements
// SPEC 10.7, 10.9 as OE uses them, 11.2, 11.3.
#pragma once
#include "arch/gfx950/mx_fragments.h"
#include "arch/gfx950/outlier_stage.h"

namespace adahop::hip {

inline constexpr uint32_t kLinesOfThread = kLines / 2;  // every second of a batch

/// The chains of one batch of lines: this thread's are lines line(0), line(1), ... with one row of the other operand.
class outlier_chains {
 public:
  ADAHOP_DEVICE_FN explicit outlier_chains(uint32_t lines) : lines_(lines) {}

  ADAHOP_DEVICE_FN uint32_t line(uint32_t i) const { return first_line_ + 2 * i; }
  ADAHOP_DEVICE_FN uint32_t row() const { return thread_x() % kStageRows; }
  ADAHOP_DEVICE_FN float result(uint32_t i) const { return acc_[i]; }

  /// A whole step.
  ADAHOP_DEVICE_FN void multiply(const mx_stage& from) {
    static_for<kStageBlocks>([&]<uint32_t Chunk>() ADAHOP_STATIC_LAMBDA { multiply_chunk(from, Chunk); });
  }

  /// The first `chunks` chunks of a step.
  ADAHOP_DEVICE_FN void multiply_rest(const mx_stage& from, uint32_t chunks) {
#pragma unroll 1
    for (uint32_t chunk = 0; chunk < chunks; ++chunk) multiply_chunk(from, chunk);
  }

  /// The first `count` elements of a chunk. Those past K are left out: adding 0 * 0 would turn a -0 into +0. (Lines that
  /// the batch does not have are there too, and nobody stores them.)
  ADAHOP_DEVICE_FN void multiply_elements(const mx_stage& from, uint32_t chunk, uint32_t count) {
#pragma unroll 1
    for (uint32_t e = 0; e < count; ++e) {
      const float other = element(from.b.codes[staged_block(row(), chunk)], e);
      ADAHOP_UNROLL
      for (uint32_t i = 0; i < kLinesOfThread; ++i)
        acc_[i] = __builtin_fmaf(element(from.a.codes[line(i) * kStageBlocks + chunk], e), other, acc_[i]);
    }
  }

 private:
  /// Element i of a chunk as FP32, the lower half of word i / 2 or the upper one.
  ADAHOP_DEVICE_FN static float element(const staged_codes& chunk, uint32_t i) {
    const auto word = reinterpret_cast<const uint32_t*>(&chunk)[i / 2];
    return float_of(i % 2 == 0 ? word << 16 : word & 0xFFFF0000u);
  }

  ADAHOP_DEVICE_FN void multiply_chunk(const mx_stage& from, uint32_t chunk) {
    const staged_codes other = from.b.codes[staged_block(row(), chunk)];
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLinesOfThread; ++i) {
      if (line(i) < lines_) {
        const staged_codes chosen = from.a.codes[line(i) * kStageBlocks + chunk];
        ADAHOP_UNROLL
        for (uint32_t e = 0; e < kChunkElements; ++e) {
          const auto of = [e](const staged_codes& c) ADAHOP_STATIC_LAMBDA {
            return float_of(e % 2 == 0 ? c[e / 2] << 16 : c[e / 2] & 0xFFFF0000u);
          };
          acc_[i] = __builtin_fmaf(of(chosen), of(other), acc_[i]);
        }
      }
    }
  }

  uint32_t lines_;
  const uint32_t first_line_ = wave_number() / 2;
  float acc_[kLinesOfThread] = {};
};

/// Where results go: part[place][row of the other operand], `stride` apart; a chosen row's place is its position less 1.
struct outlier_results {
  const int32_t* positions;  ///< of the tile's first row of the chosen side
  float* part;               ///< at the tile's first row of the other operand
  int64_t stride;
  int64_t other_rows;        ///< from there on

  ADAHOP_DEVICE_FN void store(const outlier_chains& chains, const line_list& list, uint32_t line) const {
    if (chains.row() >= other_rows) return;
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLinesOfThread; ++i) {
      const uint32_t number = line + chains.line(i);
      if (number < list.count) part[(positions[list.rows[number]] - 1) * stride + chains.row()] = chains.result(i);
    }
  }
};

/// All chains of a tile; results_of() gives its outlier_results when they are wanted. The stages are free before and,
/// behind a barrier, after it.
template <class ResultsOf>
ADAHOP_DEVICE_FN void multiply_outliers(const outlier_operands& x, const line_list& list, const ResultsOf& results_of,
                                        mx_stage& stage_0, mx_stage& stage_1) {
  const auto count = static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(list.count)));
  const bool by_chunks = loads_chunks(x.chosen, x.k) && loads_chunks(x.other, x.k);
  const int64_t whole_chunks = x.k / kChunkElements;
  const auto left = static_cast<uint32_t>(x.k % kChunkElements);
#pragma unroll 1
  for (uint32_t line = 0; line < count; line += kLines) {
    outlier_chains chains(count - line);
    if (by_chunks) {
      for_each_stage(chunk_loader(x, list, line, count), whole_chunks, stage_0, stage_1, chains);
    } else {
      const element_loader loader(x, list, line, count);
      for (int64_t step = 0; step * kStepElements < x.k; ++step) {
        const uint32_t chunks = blocks_inside(step, whole_chunks);
        const bool ends_within = chunks < kStageBlocks && left != 0;
        loader.load(step, chunks + (ends_within ? 1 : 0), stage_0);
        ADAHOP_BARRIER();
        chains.multiply_rest(stage_0, chunks);
        if (ends_within) chains.multiply_elements(stage_0, chunks, left);
        ADAHOP_BARRIER();
      }
    }
    results_of().store(chains, list, line);
    finish_stage();
  }
}

}  // namespace adahop::hip
