// Turns a list of chosen rows into a row -> place map, 1 + place for chosen rows and 0 for the others (SPEC 6.8, 10.10).
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_KERNEL(mark_positions, mark_positions_args, 64) {
  const int64_t i = int64_t{block_x()} * 64 + thread_x();
  if (i < args.count) args.positions[args.indices[i]] = static_cast<int32_t>(i) + 1;
}

}  // namespace adahop::hip
