// The thread count that set_option("threads") sets.
#include "reference/parallel.h"

#include <omp.h>

#include <atomic>

namespace adahop::reference {
namespace {

std::atomic<int> thread_count{0};  // 0: not set

}  // namespace

void set_threads(int count) { thread_count.store(count, std::memory_order_relaxed); }

int threads() {
  const int count = thread_count.load(std::memory_order_relaxed);
  return count > 0 ? count : omp_get_max_threads();
}

}  // namespace adahop::reference
