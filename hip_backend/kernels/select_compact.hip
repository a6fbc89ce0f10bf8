// The selected rows' indices in ascending order: one thread block walks the flags, ballots count within a wave.
// Implements SPEC 9.5.
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_KERNEL(select_compact, select_compact_args, 256) {
  constexpr uint32_t kThreads = 256;
  constexpr uint32_t kWaves = kThreads / kWave;
  ADAHOP_SHARED(uint32_t, wave_count, kWaves);
  const uint32_t wave = thread_x() / kWave;
  int64_t written = 0;
  for (int64_t first = 0; first < args.rows; first += kThreads) {
    const int64_t row = first + thread_x();
    const bool chosen = row < args.rows && args.selected[row] != 0;
    const uint64_t votes = ballot(chosen);
    if (lane() == 0) wave_count.at(wave) = static_cast<uint32_t>(__builtin_popcountll(votes));
    ADAHOP_BARRIER();
    int64_t before = written;
    for (uint32_t w = 0; w < kWaves; ++w) {
      const uint32_t count = wave_count.at(w);
      before += w < wave ? count : 0;
      written += count;
    }
    const uint64_t lower_lanes = votes & ((uint64_t{1} << lane()) - 1);
    if (chosen) args.indices[before + __builtin_popcountll(lower_lanes)] = static_cast<int32_t>(row);
    ADAHOP_BARRIER();
  }
}

}  // namespace adahop::hip
