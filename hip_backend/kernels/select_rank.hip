// Which rows are the first k in the order NaN first, then higher score, then lower index: a row's rank is the number of
// rows before it, counted by one thread over tiles of 256 scores. Implements SPEC 9.4.
#include "kernels/elements.h"

namespace adahop::hip {

/// Orders scores as unsigned integers. Scores are sums of squares, so never negative; NaN comes before Inf.
ADAHOP_DEVICE_FN uint32_t score_key(float score) {
  const uint32_t bits = bits_of(score);
  return is_nan_bits(bits) ? 0xFFFFFFFFu : bits;
}

ADAHOP_KERNEL(select_rank, select_rank_args, 256) {
  constexpr uint32_t kTile = 256;
  ADAHOP_SHARED(uint32_t, keys, 256);
  const int64_t row = int64_t{block_x()} * kTile + thread_x();
  const uint32_t key = row < args.rows ? score_key(args.scores[row]) : 0u;
  int64_t rank = 0;
  for (int64_t first = 0; first < args.rows; first += kTile) {
    const int64_t other = first + thread_x();
    keys.at(thread_x()) = other < args.rows ? score_key(args.scores[other]) : 0u;
    ADAHOP_BARRIER();
    const int64_t here = args.rows - first < kTile ? args.rows - first : kTile;
    if (row < args.rows) {
      for (uint32_t i = 0; i < here; ++i) {
        const uint32_t rival = keys.at(i);
        rank += rival > key || (rival == key && first + i < row) ? 1 : 0;
      }
    }
    ADAHOP_BARRIER();
  }
  if (row < args.rows) args.selected[row] = rank < args.k ? 1 : 0;
}

}  // namespace adahop::hip
