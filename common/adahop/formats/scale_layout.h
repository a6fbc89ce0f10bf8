// Where a scale byte lies in the layout that feeds gfx950's scaled MFMA, one dword a lane for four instructions.
// Implements SPEC 3.5.
#pragma once
#include "adahop/formats/hd.h"

namespace adahop {

inline constexpr int64_t kShuffleRows = 32;   ///< rows are padded to a multiple of this
inline constexpr int64_t kShuffleBlocks = 8;  ///< K blocks are padded to a multiple of this

ADAHOP_HD constexpr int64_t round_up(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

/// Bytes of the scales of [rows x blocks] in the shuffled layout.
ADAHOP_HD constexpr int64_t shuffled_scale_bytes(int64_t rows, int64_t blocks) {
  return round_up(rows, kShuffleRows) * round_up(blocks, kShuffleBlocks);
}

/// Offset of the byte of `row`, `block` in a tensor with `blocks` blocks a row.
ADAHOP_HD constexpr int64_t shuffled_scale_offset(int64_t row, int64_t block, int64_t blocks) {
  return row / 32 * 32 * round_up(blocks, kShuffleBlocks) + block / 8 * 256 + block % 4 * 64 + row % 16 * 4 +
         block % 8 / 4 * 2 + row % 32 / 16;
}

}  // namespace adahop
