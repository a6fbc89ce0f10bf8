// Facts from /proc and /sys, and from the build.
#include "bench/machine.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "reference/simd/backend.h"

namespace adahop::bench {
namespace {

// Value of the first line "KEY : VALUE" of /proc/cpuinfo.
std::string cpuinfo(std::string_view key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    if (std::string_view(line).substr(0, line.find_last_not_of(" \t", colon - 1) + 1) == key) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "L1 Data 48K, L1 Instruction 32K, L2 Unified 1024K" of one core.
std::string caches(int cpu) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu{}/cache/index{}/", cpu, i);
    const std::string size = first_line(folder + "size");
    if (size.empty()) continue;
    text += fmt::format("{}L{} {} {}", text.empty() ? "" : ", ", first_line(folder + "level"), first_line(folder + "type"), size);
  }
  return text;
}

}  // namespace

machine describe_machine(const placement& cores) {
  machine m;
  m.cpu = fmt::format("{}, family {} model {} stepping {}", cpuinfo("model name"), cpuinfo("cpu family"), cpuinfo("model"),
                      cpuinfo("stepping"));
  m.cores = fmt::format("{}", fmt::join(cores.list(), " "));
  if (cores.cores() > 0) m.caches = caches(cores.list()[0]);
#ifdef __clang__
  m.compiler = "clang " __VERSION__;
#else
  m.compiler = "g++ " __VERSION__;
#endif
  m.isa = adahop_backend_simd_isa();
  m.flags = ADAHOP_BENCH_FLAGS;
  if (m.isa == "avx2") m.flags += " " ADAHOP_BENCH_FLAGS_AVX2;
  if (m.isa == "avx512") m.flags += " " ADAHOP_BENCH_FLAGS_AVX512;
  return m;
}

}  // namespace adahop::bench
