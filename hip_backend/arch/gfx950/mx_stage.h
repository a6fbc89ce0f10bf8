// One K step of a tuned MX product in shared memory: 128 rows of A and of B, eight 32-element blocks each, and their
// scale bytes, brought by direct loads from global memory. Decides order of work and places only, nothing numeric.
//
// Codes: row r has 128 bytes, eight slots of one block; slot s holds block s ^ (r / 2) % 8. LDS has 64 banks of 4 bytes,
// so two rows pass all banks once, and a block lies in bank group 8 (r % 2) + slot of 16 groups. ds_read_b128 serves 16
// lanes at a time: by measurements of others on CDNA4 lanes {0-3, 12-15, 20-27}, {4-11, 16-19, 28-31} and the same in
// the upper half. Lanes l and l + 16 read rows equal modulo 16, at blocks that differ in at most their two lower bits
// (16x16x128) or are equal (32x32x64); so such 16 lanes see each row modulo 16 once and, as the exclusive or sends the
// two halves {0, 1, 6, 7} and {2, 3, 4, 5} of the slots to themselves or to each other, 16 different bank groups: 0
// conflicts. The same holds for 16 neighbouring lanes.
//
// Scales: a 32-row group of SPEC 3.5 has 64 dwords, 16 (a row modulo 16) for each block modulo 4. Those of odd groups lie
// at block ^ 1, so that lanes which read two groups at one block meet different banks.
#pragma once
#include "adahop/formats/scale_layout.h"
#include "kernels/elements.h"

namespace adahop::hip {

inline constexpr uint32_t kStageRows = 128;
inline constexpr uint32_t kStageBlocks = 8;
inline constexpr uint32_t kStageWaves = 4;                         // 256 threads
inline constexpr uint32_t kRowsOfWave = kStageRows / kStageWaves;  // that one wave stages
inline constexpr uint32_t kRowsOfLoad = 8;                         // of one direct load: 64 lanes of 16 bytes
inline constexpr uint32_t kLoadsOfWave = kRowsOfWave / kRowsOfLoad;
inline constexpr uint32_t kGroupDwords = 64;                       // scales of 32 rows x 8 blocks
inline constexpr uint32_t kUnitScales = 0x7F7F7F7Fu;

/// A block's codes, read and written by one 16-byte access.
typedef uint32_t staged_codes __attribute__((ext_vector_type(4)));

struct staged_operand {
  staged_codes codes[kStageRows * kStageBlocks];
  uint32_t scales[kStageRows / 32 * kGroupDwords];
};

struct mx_stage {
  staged_operand a, b;
};

/// The wave's number, in a scalar register.
ADAHOP_DEVICE_FN uint32_t wave_number() {
  return static_cast<uint32_t>(__builtin_amdgcn_readfirstlane(static_cast<int>(thread_x() / kWave)));
}

/// Index of a block in staged_operand::codes.
ADAHOP_DEVICE_FN uint32_t staged_block(uint32_t row, uint32_t block) {
  return row * kStageBlocks + (block ^ (row / 2 % kStageBlocks));
}

/// Index in staged_operand::scales of the dword of `row`, `block` (any of the step); its byte is 2 (block / 4) +
/// row % 32 / 16.
ADAHOP_DEVICE_FN uint32_t staged_scale(uint32_t row, uint32_t block) {
  const uint32_t group = row / 32;
  return group * kGroupDwords + (block % 4 ^ group % 2) * 16 + row % 16;
}

typedef __attribute__((address_space(1))) void global_void;
typedef __attribute__((address_space(3))) void shared_void;

/// 16 bytes from each lane's `from` to shared memory at `to` (the same in all lanes) + 16 * lane; not waited for.
ADAHOP_DEVICE_FN void load_block_to_shared(const uint8_t* from, staged_codes* to) {
  __builtin_amdgcn_global_load_lds((global_void*)const_cast<uint8_t*>(from), (shared_void*)to, 16, 0, 0);
}

/// 4 bytes likewise, to `to` + 4 * lane.
ADAHOP_DEVICE_FN void load_dword_to_shared(const uint8_t* from, uint32_t* to) {
  __builtin_amdgcn_global_load_lds((global_void*)const_cast<uint8_t*>(from), (shared_void*)to, 4, 0, 0);
}

/// What a lane stages of one operand: in each K step one block of four rows and one dword of scales.
class operand_loader {
 public:
  /// Rows first .. first + 127 of `rows`; those past the end repeat the last row, whose products nobody stores.
  ADAHOP_DEVICE_FN operand_loader(const mx_in& x, int64_t first, int64_t rows, int64_t blocks)
      : wave_(wave_number()), blocks_(blocks) {
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i) {
      const int64_t row = first + wave_ * kRowsOfWave + i * kRowsOfLoad + lane() / kStageBlocks;
      codes_[i] = x.codes + (row < rows ? row : rows - 1) * x.codes_stride + 16 * block_of(i);
    }
    const int64_t group = first / 32 + wave_;
    const int64_t last_group = (rows - 1) / 32;
    const uint32_t block = (lane() / 16) ^ (wave_ % 2);
    scales_ = x.scales + (group < last_group ? group : last_group) * 32 * round_up(blocks, kShuffleBlocks) +
              64 * block + 4 * (lane() % 16);
  }

  /// Starts bringing K step `step`, which lies inside K.
  ADAHOP_DEVICE_FN void load(int64_t step, staged_operand& to) const {
    load_scales(step, to);
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i)
      load_block_to_shared(codes_[i] + step * (16 * kStageBlocks), place(to, i));
  }

  /// The same for one that may reach beyond K: blocks past the end repeat the last one.
  ADAHOP_DEVICE_FN void load_rest(int64_t step, staged_operand& to) const {
    load_scales(step, to);
    ADAHOP_UNROLL
    for (uint32_t i = 0; i < kLoadsOfWave; ++i) {
      const int64_t block = step * kStageBlocks + block_of(i);
      const int64_t inside = block < blocks_ ? block : blocks_ - 1;
      load_block_to_shared(codes_[i] + 16 * (inside - block_of(i)), place(to, i));
    }
  }

 private:
  /// The block, of the eight of a step, that this lane brings in load i: the one that belongs into slot lane % 8.
  ADAHOP_DEVICE_FN static uint32_t block_of(uint32_t i) {
    const uint32_t row = i * kRowsOfLoad + lane() / kStageBlocks;  // modulo 16
    return lane() % kStageBlocks ^ (row / 2 % kStageBlocks);
  }
  ADAHOP_DEVICE_FN staged_codes* place(staged_operand& to, uint32_t i) const {
    return &to.codes[(wave_ * kRowsOfWave + i * kRowsOfLoad) * kStageBlocks];
  }
  ADAHOP_DEVICE_FN void load_scales(int64_t step, staged_operand& to) const {
    load_dword_to_shared(scales_ + step * (4 * kGroupDwords), &to.scales[wave_ * kGroupDwords]);
  }

  uint32_t wave_;
  int64_t blocks_;
  const uint8_t* codes_[kLoadsOfWave];
  const uint8_t* scales_;
};

/// Brings K steps of both operands of the tile at rows m0 of A and n0 of B.
class stage_loader {
 public:
  ADAHOP_DEVICE_FN stage_loader(const mx_gemm_args& args, int64_t m0, int64_t n0)
      : a_(args.a, m0, args.m, args.blocks), b_(args.b, n0, args.n, args.blocks) {}

  ADAHOP_DEVICE_FN void load(int64_t step, mx_stage& to) const {
    a_.load(step, to.a);
    b_.load(step, to.b);
  }
  ADAHOP_DEVICE_FN void load_rest(int64_t step, mx_stage& to) const {
    a_.load_rest(step, to.a);
    b_.load_rest(step, to.b);
  }

 private:
  operand_loader a_, b_;
};

/// What this wave started to load is there, then the same of all waves; and every wave is done with what it read. What
/// was written before this in the source is issued before it: matrix instructions cover the loads' latency.
ADAHOP_DEVICE_FN void finish_stage() {
  __builtin_amdgcn_sched_barrier(0);
  constexpr int kVmcnt0 = 0x0F70;  // s_waitcnt vmcnt(0), the other counters at their maxima
  __builtin_amdgcn_s_waitcnt(kVmcnt0);
  ADAHOP_BARRIER();
}

/// Loads that stand before this in the source are issued before it, so that what follows covers their latency. Nothing
/// passes, reads of shared memory neither: the compiler takes a direct load for one more of those that lgkmcnt counts, and
/// with no read older than a load under way its waits are long enough whether the hardware counts so or not.
ADAHOP_DEVICE_FN void start_loads() { __builtin_amdgcn_sched_barrier(0); }

/// Blocks of a K step, one of those of a product, that lie inside its K.
ADAHOP_DEVICE_FN uint32_t blocks_inside(int64_t step, int64_t blocks) {
  const int64_t left = blocks - step * kStageBlocks;
  return left < kStageBlocks ? static_cast<uint32_t>(left) : kStageBlocks;
}

/// Runs tile.multiply(stage) for whole K steps and tile.multiply_rest(stage, blocks inside K) for the last ones, in
/// ascending k.
/// Two stages take turns: while one is multiplied the other is filled, and it is filled only behind the barrier that
/// follows its last reads.
template <class Loader, class Tile>
ADAHOP_DEVICE_FN void for_each_stage(const Loader& loader, int64_t blocks, mx_stage& stage_0, mx_stage& stage_1,
                                     Tile& tile) {
  const int64_t whole_steps = blocks / kStageBlocks;
  const int64_t steps = (blocks + kStageBlocks - 1) / kStageBlocks;
  if (steps == 0) return;
  loader.load_rest(0, stage_0);
  int64_t step = 0;
  for (; step + 3 <= whole_steps; step += 2) {
    finish_stage();
    loader.load(step + 1, stage_1);
    start_loads();
    tile.multiply(stage_0);
    finish_stage();
    loader.load(step + 2, stage_0);
    start_loads();
    tile.multiply(stage_1);
  }
  for (; step < steps; step += 2) {  // once or twice
    finish_stage();
    const bool second = step + 1 < steps;
    if (second) loader.load_rest(step + 1, stage_1);
    start_loads();
    tile.multiply_rest(stage_0, blocks_inside(step, blocks));
    if (!second) break;
    finish_stage();
    if (step + 2 < steps) loader.load_rest(step + 2, stage_0);
    start_loads();
    tile.multiply_rest(stage_1, blocks_inside(step + 1, blocks));
  }
}

}  // namespace adahop::hip
