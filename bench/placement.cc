// Pinning by sched_setaffinity. OpenMP keeps the threads of a team, so that what is pinned here runs later regions too.
#include "bench/placement.h"

#include <omp.h>
#include <sched.h>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace adahop::bench {
namespace {

// The hardware threads of this CPU's core, as the kernel writes them; the CPU's own number where that is not told.
std::string siblings(int cpu) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
  std::string line;
  return std::getline(file, line) ? line : fmt::format("{}", cpu);
}

cpu_set_t only(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  return set;
}

}  // namespace

placement::placement(int wanted) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  std::vector<std::string> taken;
  for (int cpu = 0; cpu < CPU_SETSIZE && cores() < wanted; ++cpu) {
    if (!CPU_ISSET(static_cast<size_t>(cpu), &allowed)) continue;
    const std::string core = siblings(cpu);
    if (std::find(taken.begin(), taken.end(), core) != taken.end()) continue;
    taken.push_back(core);
    cores_.push_back(cpu);
  }
}

void placement::pin(int threads) const {
#pragma omp parallel num_threads(threads)
  {
    const auto i = static_cast<size_t>(omp_get_thread_num());
    if (i < cores_.size()) {
      const cpu_set_t set = only(cores_[i]);
      sched_setaffinity(0, sizeof set, &set);
    }
  }
}

bool placement::holds(int threads) const {
  int elsewhere = 0;
#pragma omp parallel num_threads(threads) reduction(+ : elsewhere)
  {
    const auto i = static_cast<size_t>(omp_get_thread_num());
    cpu_set_t now;
    CPU_ZERO(&now);
    const bool known = sched_getaffinity(0, sizeof now, &now) == 0;
    if (i < cores_.size()) {
      const cpu_set_t set = only(cores_[i]);
      elsewhere += known && CPU_EQUAL(&now, &set) ? 0 : 1;
    }
  }
  return elsewhere == 0;
}

}  // namespace adahop::bench
