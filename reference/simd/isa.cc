// Detection and choice of the instruction set. Implements SPEC 13.13.
#include "reference/simd/isa.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "adahop/io/file.h"

namespace adahop::reference::simd {
namespace {

constexpr isa kLevels[] = {isa::scalar, isa::avx2, isa::avx512};

#ifdef ADAHOP_SIMD_X86
constexpr kernel_table kAvx2 = {
#define ADAHOP_SIMD_KERNEL(name, result, parameters) name##__avx2,
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};
constexpr kernel_table kAvx512 = {
#define ADAHOP_SIMD_KERNEL(name, result, parameters) name##__avx512,
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL
};
#endif

isa best() {
  for (const isa candidate : {isa::avx512, isa::avx2})
    if (supported(candidate)) return candidate;
  return isa::scalar;
}

status find_level(const char* text, isa& found) {
  for (const isa candidate : kLevels) {
    if (std::strcmp(text, name(candidate)) != 0) continue;
    if (!supported(candidate))
      return unsupported(fmt::format("{}: this CPU or build does not have it, the best here is {}", text, name(best())));
    found = candidate;
    return {};
  }
  return invalid_argument(fmt::format("{}: expected scalar, avx2 or avx512", io::in_quotes(text)));
}

struct startup {
  std::atomic<isa> level;
  std::atomic<bool> overruled{false};  // by set_level()
  std::string error;

  startup() : level(best()) {
    const char* const asked = std::getenv("ADAHOP_ISA");
    if (asked == nullptr || *asked == '\0') return;
    isa found = best();
    const status s = find_level(asked, found);
    if (!s.ok()) error = fmt::format("ADAHOP_ISA={}", s.message());
    level = found;
  }
};

startup& state() {
  static startup s;
  return s;
}

}  // namespace

const char* name(isa level) {
  switch (level) {
    case isa::scalar: return "scalar";
    case isa::avx2: return "avx2";
    case isa::avx512: return "avx512";
  }
  return "unknown";
}

bool supported(isa level) {
#ifdef ADAHOP_SIMD_X86
  // These also ask whether the operating system saves the registers.
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
  if (level == isa::avx2) return avx2;
  if (level == isa::avx512)
    return avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vnni") &&
           __builtin_cpu_supports("avx512bf16");
#endif
  return level == isa::scalar;
}

isa level() { return state().level.load(std::memory_order_relaxed); }

const char* startup_error() { return state().error.empty() ? nullptr : state().error.c_str(); }

status usable() {
  const startup& s = state();
  if (s.error.empty() || s.overruled.load(std::memory_order_relaxed)) return {};
  return unsupported(s.error);
}

status set_level(const char* text) {
  isa found = isa::scalar;
  ADAHOP_TRY(find_level(text, found));
  state().level.store(found, std::memory_order_relaxed);
  state().overruled.store(true, std::memory_order_relaxed);
  return {};
}

bool has_level(const char* text) {
  isa found = isa::scalar;
  return find_level(text, found).ok();
}

const kernel_table* kernels_of([[maybe_unused]] isa level) {
#ifdef ADAHOP_SIMD_X86
  if (level == isa::avx2 && supported(level)) return &kAvx2;
  if (level == isa::avx512 && supported(level)) return &kAvx512;
#endif
  return nullptr;
}

const kernel_table* kernels() { return kernels_of(level()); }

}  // namespace adahop::reference::simd
