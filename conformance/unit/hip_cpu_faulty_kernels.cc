// One fault a kernel, for the tests of the hip-cpu executor. `n` chooses the block, thread or element that goes wrong.
#include <array>

#include "arch/lang.h"
#include "hip_cpu_kernels.h"

namespace adahop::hip::test {

constexpr int kIndexLine = __LINE__ + 3;
ADAHOP_KERNEL(shared_index, trial, 128) {
  ADAHOP_SHARED(uint32_t, tile, 100);
  if (thread_x() < 101) tile.at(thread_x()) = 1;
}

constexpr int kNegativeLine = __LINE__ + 4;
ADAHOP_KERNEL(negative_index, trial, 64) {
  ADAHOP_SHARED(uint32_t, tile, 100);
  tile.at(lane()) = 1;
  if (lane() == 7) args.out[0] = tile.at(static_cast<int>(lane()) - 8);
}

// Threads 3 and 70 choose the same element.
constexpr int kWriteWriteLine = __LINE__ + 3;
ADAHOP_KERNEL(write_write, trial, 128) {
  ADAHOP_SHARED(uint32_t, tile, 128);
  tile.at(thread_x() == 70 ? 3 : thread_x()) = thread_x();
}

// The barrier between the two lines is missing.
constexpr int kReadAfterWriteLine = __LINE__ + 4;
ADAHOP_KERNEL(read_after_write, trial, 128) {
  ADAHOP_SHARED(uint32_t, tile, 128);
  tile.at(thread_x()) = args.in[thread_x()];
  args.out[thread_x()] = tile.at(thread_x() == 0 ? 0 : thread_x() - 1);
}

// The second barrier, before the array is used again, is missing.
constexpr int kWriteAfterReadLine = __LINE__ + 6;
ADAHOP_KERNEL(write_after_read, trial, 128) {
  ADAHOP_SHARED(uint32_t, tile, 128);
  tile.at(thread_x()) = args.in[thread_x()];
  ADAHOP_BARRIER();
  const uint32_t v = tile.at((thread_x() + 1) % 128);
  tile.at(thread_x()) = v;
}

// Everybody reads element 0; its writer reads it first and is not told from the others by the first reader alone.
constexpr int kManyReadersLine = __LINE__ + 6;
ADAHOP_KERNEL(many_readers, trial, 64) {
  ADAHOP_SHARED(uint32_t, tile, 1);
  if (lane() == 0) tile.at(0) = 5;
  ADAHOP_BARRIER();
  const uint32_t v = shfl(tile.at(0) + lane(), 0);
  if (lane() == 0) tile.at(0) = v;
}

// A shuffle does not order shared memory.
constexpr int kShuffleOrderLine = __LINE__ + 5;
ADAHOP_KERNEL(shuffle_order, trial, 64) {
  ADAHOP_SHARED(uint32_t, tile, 64);
  tile.at(lane()) = lane();
  const uint32_t from = shfl_xor(lane(), 1);
  args.out[lane()] = tile.at(from);
}

constexpr int kUnwrittenLine = __LINE__ + 5;
ADAHOP_KERNEL(unwritten, trial, 64) {
  ADAHOP_SHARED(uint32_t, tile, 65);
  tile.at(lane()) = lane();
  ADAHOP_BARRIER();
  args.out[lane()] = tile.at(lane() + 1);
}

// Lane 9 waits at another barrier than the rest of its wave.
constexpr int kTwoBarriersLine = __LINE__ + 3;
ADAHOP_KERNEL(two_barriers, trial, 64) {
  if (lane() == 9) {
    ADAHOP_BARRIER();
  } else {
    ADAHOP_BARRIER();
  }
}

// The second wave waits at another barrier than the first.
constexpr int kWaveBarriersLine = __LINE__ + 3;
ADAHOP_KERNEL(wave_barriers, trial, 128) {
  if (thread_x() < 64) {
    ADAHOP_BARRIER();
  } else {
    ADAHOP_BARRIER();
  }
}

constexpr int kLaneLeavesLine = __LINE__ + 3;
ADAHOP_KERNEL(lane_leaves, trial, 64) {
  if (lane() == 20) return;
  ADAHOP_BARRIER();
}

constexpr int kWaveLeavesLine = __LINE__ + 3;
ADAHOP_KERNEL(wave_leaves, trial, 192) {
  if (thread_x() / 64 == 1) return;
  ADAHOP_BARRIER();
}

// Lane 33 has ended when lane 32 asks for its value.
constexpr int kEndedLaneLine = __LINE__ + 3;
ADAHOP_KERNEL(ended_lane, trial, 64) {
  if (lane() == 33) return;
  args.out[lane()] = shfl_xor(lane(), 1);
}

// Lanes 0 to 31 read lanes 32 to 63, which are at another place.
constexpr int kElsewhereLine = __LINE__ + 3;
ADAHOP_KERNEL(lane_elsewhere, trial, 64) {
  if (lane() < 32) {
    args.out[lane()] = shfl_xor(lane(), 32);
  } else {
    args.out[lane()] = shfl_xor(lane(), 16);
  }
}

constexpr int kPartialBallotLine = __LINE__ + 2;
ADAHOP_KERNEL(partial_ballot, trial, 64) {
  if (lane() < 32) args.out[lane()] = static_cast<uint32_t>(ballot(true));
  args.out[lane()] = shfl(lane(), 0);
}

constexpr int kNoSuchLaneLine = __LINE__ + 2;
ADAHOP_KERNEL(no_such_lane, trial, 64) {
  args.out[lane()] = shfl(lane(), lane() + 1);
}

constexpr int kTooMuchLine = __LINE__ + 3;
ADAHOP_KERNEL(too_much, trial, 64) {
  ADAHOP_SHARED(uint64_t, first, 20000);
  ADAHOP_SHARED(uint64_t, second, 1000);
  first.at(lane()) = 0;
  second.at(lane()) = 0;
}

// Reads in[n] and writes it to out[0], in thread 5 of block (1, 0), after a barrier.
constexpr int kGlobalLine = __LINE__ + 2;
ADAHOP_KERNEL(global_read, trial, 64) {
  ADAHOP_BARRIER();
  if (thread_x() == 5 && block_x() == 1) args.out[0] = args.in[args.n];
}

ADAHOP_KERNEL(global_write, trial, 64) {
  if (lane() == 5) args.out[static_cast<int32_t>(args.n)] = 1;
}

ADAHOP_DEVICE_FN uint32_t deep(uint32_t depth) {
  volatile uint32_t frame[256];
  frame[depth % 256] = depth;
  return depth == 0 ? 0 : deep(depth - 1) + frame[depth % 256];
}
ADAHOP_KERNEL(stack_overflow, trial, 64) {
  args.out[lane()] = lane() == 40 ? deep(args.n) : 0;
}

// Blocks from n on go wrong, each in a lane of its own.
constexpr int kLateBlocksLine = __LINE__ + 3;
ADAHOP_KERNEL(late_blocks, trial, 64) {
  ADAHOP_SHARED(uint32_t, tile, 64);
  if (block_x() >= args.n && lane() == block_x() % 64) tile.at(64) = 0;
  if (lane() == 0) args.out[block_x()] = block_x();
}

std::span<const cpu_kernel> faulty_kernels() {
  static const std::array kernels{
      ADAHOP_CPU_KERNEL(shared_index),     ADAHOP_CPU_KERNEL(negative_index), ADAHOP_CPU_KERNEL(write_write),
      ADAHOP_CPU_KERNEL(read_after_write), ADAHOP_CPU_KERNEL(write_after_read), ADAHOP_CPU_KERNEL(many_readers),
      ADAHOP_CPU_KERNEL(shuffle_order),    ADAHOP_CPU_KERNEL(unwritten),      ADAHOP_CPU_KERNEL(two_barriers),
      ADAHOP_CPU_KERNEL(wave_barriers),    ADAHOP_CPU_KERNEL(lane_leaves),    ADAHOP_CPU_KERNEL(wave_leaves),
      ADAHOP_CPU_KERNEL(ended_lane),       ADAHOP_CPU_KERNEL(lane_elsewhere), ADAHOP_CPU_KERNEL(partial_ballot),
      ADAHOP_CPU_KERNEL(no_such_lane),     ADAHOP_CPU_KERNEL(too_much),       ADAHOP_CPU_KERNEL(global_read),
      ADAHOP_CPU_KERNEL(global_write),     ADAHOP_CPU_KERNEL(stack_overflow), ADAHOP_CPU_KERNEL(late_blocks),
  };
  return kernels;
}

std::span<const planted_lines> planted() {
  static constexpr planted_lines kLines[] = {
      {"shared_index", kIndexLine, 0},
      {"negative_index", kNegativeLine, 0},
      {"write_write", kWriteWriteLine, kWriteWriteLine},
      {"read_after_write", kReadAfterWriteLine, kReadAfterWriteLine - 1},
      {"write_after_read", kWriteAfterReadLine, kWriteAfterReadLine - 1},
      {"many_readers", kManyReadersLine, kManyReadersLine - 1},
      {"shuffle_order", kShuffleOrderLine, kShuffleOrderLine - 2},
      {"unwritten", kUnwrittenLine, 0},
      {"two_barriers", kTwoBarriersLine + 2, kTwoBarriersLine},
      {"wave_barriers", kWaveBarriersLine, kWaveBarriersLine + 2},
      {"lane_leaves", kLaneLeavesLine, 0},
      {"wave_leaves", kWaveLeavesLine, 0},
      {"ended_lane", kEndedLaneLine, 0},
      {"lane_elsewhere", kElsewhereLine, kElsewhereLine + 2},
      {"partial_ballot", kPartialBallotLine, kPartialBallotLine + 1},
      {"no_such_lane", kNoSuchLaneLine, 0},
      {"too_much", kTooMuchLine, 0},
      {"global_read", kGlobalLine, 0},
      {"late_blocks", kLateBlocksLine, 0},
  };
  return kLines;
}

}  // namespace adahop::hip::test
