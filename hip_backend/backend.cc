// The C ABI over the pipeline on CpuDevice: locks, options, errors; no exception leaves it. Implements SPEC 13.1-13.3, 13.5.
#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <charconv>
#include <cstring>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>

#include "backend_hip_cpu.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu_kernels.h"
#include "pipeline/capabilities.h"
#include "pipeline/checks.h"
#include "pipeline/operations.h"

namespace adahop::hip {
namespace {

// Fixed storage, so that reporting a lack of memory needs none.
thread_local char last_message[512] = "";

int32_t report(const status& s) {
  const size_t length = std::min(s.message().size(), sizeof last_message - 1);
  std::memcpy(last_message, s.message().data(), length);
  last_message[length] = '\0';
  return s.code();
}

template <class Work>
int32_t guarded(const Work& work) {
  try {
    return report(work());
  } catch (const std::bad_alloc&) {
    std::strcpy(last_message, "hip-cpu: out of host memory");
    return ADAHOP_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    std::strncpy(last_message, e.what(), sizeof last_message - 1);
    return ADAHOP_INTERNAL;
  } catch (...) {
    std::strcpy(last_message, "hip-cpu: unknown exception");
    return ADAHOP_INTERNAL;
  }
}

// The host steps of the pipeline compute too: no flush to zero and no odd rounding mode of the caller's (SPEC 1.3).
class default_float_environment {
 public:
  default_float_environment() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  default_float_environment(const default_float_environment&) = delete;
  default_float_environment& operator=(const default_float_environment&) = delete;
  ~default_float_environment() { std::fesetenv(&callers_); }

 private:
  std::fenv_t callers_;
};

// One device for the process; a call has it to itself, so that options cannot change under it.
struct cpu_backend {
  std::mutex mutex;
  CpuDevice device{cpu_kernels()};
  mx_tile tile = mx_tile::k16x16x128;
};

cpu_backend& backend() {
  static cpu_backend instance;
  return instance;
}

template <class Args>
int32_t call(const adahop_exec* exec, const Args* args) {
  return guarded([&]() -> status {
    const default_float_environment environment;
    ADAHOP_TRY(check_exec(exec));
    if (args == nullptr) return invalid_argument("args: is null");
    cpu_backend& here = backend();
    const std::lock_guard lock(here.mutex);
    context on{here.device, nullptr, ADAHOP_MEMORY_HOST, here.tile};
    if (exec != nullptr && exec->memory == ADAHOP_MEMORY_DEVICE) {
      on.memory = ADAHOP_MEMORY_DEVICE;
      on.stream = exec->stream;
    }
    return run(on, *args);
  });
}

// The pipeline allocates its intermediate matrices itself, so a caller's workspace is neither needed nor touched.
int32_t workspace_size(int32_t op, const void*, uint64_t* bytes) {
  return guarded([&]() -> status {
    if (op < 0 || op >= ADAHOP_OP_COUNT)
      return invalid_argument(fmt::format("op: {} is outside 0 to {}", op, ADAHOP_OP_COUNT - 1));
    if (bytes == nullptr) return invalid_argument("bytes: is null");
    *bytes = 0;
    return {};
  });
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
    const std::string_view name = key;
    const auto wrong = [&](const char* expected) {
      return invalid_argument(fmt::format("set_option: {}={}: expected {}", key, value, expected));
    };
    cpu_backend& here = backend();
    const std::lock_guard lock(here.mutex);
    if (name == "lane_seed") {
      const auto seed = number<uint64_t>(value);
      if (!seed) return wrong("an integer from 0 to 2^64 - 1");
      here.device.set_lane_seed(*seed);
      return {};
    }
    if (name == "threads") {
      const auto threads = number<uint32_t>(value);
      if (!threads || *threads > 1024) return wrong("an integer from 0 (one a processor) to 1024");
      here.device.set_threads(*threads);
      return {};
    }
    if (name == "mx_tile") {
      if (std::string_view(value) == "16x16x128") here.tile = mx_tile::k16x16x128;
      else if (std::string_view(value) == "32x32x64") here.tile = mx_tile::k32x32x64;
      else return wrong("16x16x128 or 32x32x64");
      return {};
    }
    return unsupported(fmt::format("set_option: unknown key '{}': expected lane_seed, threads or mx_tile", key));
  });
}

const char* last_error() { return last_message; }

constexpr adahop_backend kBackend = {
    ADAHOP_ABI_VERSION,
    sizeof(adahop_backend),
    "hip-cpu",
    "the HIP kernels compiled for the host CPU, 64-lane waves as fibers, under checkers",
    kCapabilities,
    workspace_size,
    call<adahop_quantize_args>,
    call<adahop_dequantize_args>,
    call<adahop_hadamard_args>,
    call<adahop_hadamard_quantize_args>,
    call<adahop_pattern_args>,
    call<adahop_select_outliers_args>,
    call<adahop_extract_outliers_args>,
    call<adahop_mx_gemm_args>,
    call<adahop_bf16_gemm_args>,
    call<adahop_scatter_add_args>,
    call<adahop_matmul_args>,
    set_option,
    last_error,
};

}  // namespace
}  // namespace adahop::hip

const adahop_backend* adahop_backend_hip_cpu(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::hip::kBackend : nullptr;
}
