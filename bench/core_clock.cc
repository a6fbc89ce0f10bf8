// A 64-bit multiplication takes three cycles on the large cores of Intel since Nehalem and of AMD since Zen 2 (elsewhere
// more: those seem slow), and the next one of a chain waits for it. The time stamp counter has a constant rate instead.
#include "bench/core_clock.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace adahop::bench {

double core_hertz() {
  constexpr int kRounds = 50, kSteps = 10000, kUnrolled = 8, kCycles = 3;
  double best = 0;
  uint64_t x = 3;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kSteps; ++i)
      asm volatile(
          "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0\n\t"
          "imul %0, %0\n\timul %0, %0\n\timul %0, %0\n\timul %0, %0"
          : "+r"(x)
          :
          : "cc");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, kSteps * kUnrolled * kCycles / seconds);
  }
  return best;
}

}  // namespace adahop::bench
