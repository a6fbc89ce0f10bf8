// Which MX block a thread works on. Decides order of work only; results do not depend on it (SPEC 1.2).
#pragma once
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

struct block_position {
  int64_t row, block;
  bool inside;
};

ADAHOP_DEVICE_FN block_position position_of_thread(const block_grid& grid) {
  const int32_t t = static_cast<int32_t>(thread_x());
  block_position at;
  if (grid.outer_fastest != 0) {
    at.row = int64_t{block_x()} * kOuterFastest.rows + t % kOuterFastest.rows;
    at.block = int64_t{block_y()} * kOuterFastest.blocks + t / kOuterFastest.rows;
  } else {
    at.row = int64_t{block_x()} * kInnerFastest.rows + t / kInnerFastest.blocks;
    at.block = int64_t{block_y()} * kInnerFastest.blocks + t % kInnerFastest.blocks;
  }
  at.inside = at.row < grid.outer && at.block < grid.blocks;
  return at;
}

}  // namespace adahop::hip
