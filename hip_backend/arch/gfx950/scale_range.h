// Whether the scaled matrix instruction gives every block term of a tile exactly, so that it may do the scaling. Part of
// SPEC 10.2, 10.4.
//
// With both scale bytes of a term in 65..185 their sum is in 130..370, and S * 2^(sum - 256), |S| <= 4608, is zero or a
// normal number of 13 bits: whatever an instruction does about subnormals or overflow, it is exact. A block whose codes
// are all zero, which a quantizer gives the lowest byte, has zero terms under any byte but 0xFF.
#pragma once
#include "arch/gfx950/mx_stage.h"

namespace adahop::hip {

inline constexpr uint32_t kLowestScale = 65, kHighestScale = 185;

/// Four bytes at once: bit 7 of each is set where it is outside kLowestScale..kHighestScale. With the top bit taken away,
/// adding 128 - n carries into it iff the rest is at least n.
ADAHOP_DEVICE_FN uint32_t bytes_out_of_range(uint32_t dword) {
  constexpr uint32_t kEach = 0x01010101u;
  const uint32_t rest = dword & 0x7F7F7F7Fu;
  const uint32_t at_least_lowest = rest + (128 - kLowestScale) * kEach;
  const uint32_t above_highest = rest + (128 - (kHighestScale + 1 - 128)) * kEach;
  return ((dword & above_highest) | ~(dword | at_least_lowest)) & 0x80808080u;
}

/// Non-zero where a byte of the dword is out of range and matters: it belongs to the operand and its block has codes that
/// are not zero. The dword is that of rows `row` and row + 16 and of blocks `block` and block + 4.
ADAHOP_DEVICE_FN uint32_t bytes_that_matter(const mx_in& x, uint32_t dword, int64_t row, int64_t rows, int64_t block,
                                            int64_t blocks) {
  const uint32_t out_of_range = bytes_out_of_range(dword);
  uint32_t found = 0;
#pragma unroll 1
  for (uint32_t byte = 0; byte < 4; ++byte) {
    const int64_t r = row + 16 * (byte % 2);
    const int64_t b = block + 4 * (byte / 2);
    const uint32_t scale = dword >> (8 * byte) & 0xFFu;
    if ((out_of_range >> (8 * byte) & 0x80u) != 0 && r < rows && b < blocks) {
      const staged_codes codes = *reinterpret_cast<const staged_codes*>(x.codes + r * x.codes_stride + 16 * b);
      found |= (codes.x | codes.y | codes.z | codes.w) & 0x77777777u;  // without the signs
      found |= scale > kHighestScale ? 1u : 0u;
    }
  }
  return found;
}

/// This thread's share of an operand's scales for the rows of a tile: one dword of each K step.
class scale_share {
 public:
  ADAHOP_DEVICE_FN scale_share(const mx_in& x, int64_t first, int64_t rows, int64_t blocks)
      : x_(x), rows_(rows), blocks_(blocks), steps_((blocks + kStageBlocks - 1) / kStageBlocks) {
    const int64_t group = first / 32 + thread_x() / kGroupDwords;
    const int64_t last_group = (rows - 1) / 32;
    group_ = group < last_group ? group : last_group;
  }

  /// The dword of a step; past the last one, that one's.
  ADAHOP_DEVICE_FN uint32_t load(int64_t step) const {
    const int64_t inside = step < steps_ ? step : steps_ - 1;
    const auto* const dwords = reinterpret_cast<const uint32_t*>(x_.scales);
    return dwords[(group_ * steps_ + inside) * kGroupDwords + thread_x() % kGroupDwords];
  }

  /// Non-zero where the step has a byte out of range that matters.
  ADAHOP_DEVICE_FN uint32_t matters(int64_t step) const {
    const uint32_t place = thread_x() % kGroupDwords;
    return bytes_that_matter(x_, load(step), 32 * group_ + place % 16, rows_, step * kStageBlocks + place / 16, blocks_);
  }

 private:
  const mx_in& x_;
  int64_t rows_, blocks_, steps_;
  int64_t group_;
};

/// Non-zero where this thread finds a byte out of range that matters in its share of an operand. Eight steps are looked
/// at together, and one by one only where one of them needs it.
ADAHOP_DEVICE_FN uint32_t bytes_that_matter(const scale_share& share, int64_t steps) {
  constexpr int64_t kAtOnce = 8;
  uint32_t found = 0;
#pragma unroll 1
  for (int64_t first = 0; first < steps; first += kAtOnce) {
    uint32_t out_of_range = 0;
    ADAHOP_UNROLL
    for (int64_t i = 0; i < kAtOnce; ++i) out_of_range |= bytes_out_of_range(share.load(first + i));
    if (out_of_range != 0) {
#pragma unroll 1
      for (int64_t step = first; step < first + kAtOnce && step < steps; ++step) found |= share.matters(step);
    }
  }
  return found;
}

/// Whether the instruction may scale for the whole tile at rows m0 of A and n0 of B; the same in all its threads. `votes`
/// is shared memory for kStageWaves words.
ADAHOP_DEVICE_FN bool instruction_may_scale(const mx_gemm_args& args, int64_t m0, int64_t n0, uint32_t* votes) {
  const int64_t steps = (args.blocks + kStageBlocks - 1) / kStageBlocks;
  const uint32_t found = bytes_that_matter(scale_share(args.a, m0, args.m, args.blocks), steps) |
                         bytes_that_matter(scale_share(args.b, n0, args.n, args.blocks), steps);
  const uint64_t against = ballot(found != 0);
  if (lane() == 0) votes[wave_number()] = against != 0 ? 1 : 0;
  ADAHOP_BARRIER();
  uint32_t any = 0;
  ADAHOP_UNROLL
  for (uint32_t wave = 0; wave < kStageWaves; ++wave) any |= votes[wave];
  return __builtin_amdgcn_readfirstlane(static_cast<int>(any)) == 0;
}

}  // namespace adahop::hip
