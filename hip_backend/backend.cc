// The C ABI over the pipeline on CpuDevice, and its options. Implements SPEC 13.1-13.3, 13.5.
#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "abi_call.h"
#include "backend_hip_cpu.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu_kernels.h"

namespace adahop::hip {
namespace {

// One device for the process.
struct cpu_backend {
  CpuDevice device{cpu_kernels()};
  backend_state state;
  cpu_backend() { set_target(state, device); }
};

cpu_backend& backend() {
  static cpu_backend instance;
  return instance;
}

result<backend_state*> state() { return &backend().state; }

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// "mfma_fused", "mfma_seq", "cdna3_trfdpa(L)", "cdna3_gtrfdpa(L)" or "block_first_fdpa(n)".
std::optional<mfma_model> mfma_model_of(std::string_view text) {
  if (text == "mfma_fused") return mfma_model{mfma_combine::fused, 0};
  if (text == "mfma_seq") return mfma_model{mfma_combine::seq, 0};
  const size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return std::nullopt;
  const auto group = number<int32_t>(text.substr(open + 1, text.size() - open - 2));
  if (!group) return std::nullopt;
  const bool products = *group == 16 || *group == 32 || *group == 64 || *group == 128;
  const bool blocks = *group == 1 || *group == 2 || *group == 4;
  const std::string_view name = text.substr(0, open);
  if (name == "cdna3_trfdpa" && products) return mfma_model{mfma_combine::trfdpa, *group};
  if (name == "cdna3_gtrfdpa" && products) return mfma_model{mfma_combine::gtrfdpa, *group};
  if (name == "block_first_fdpa" && blocks) return mfma_model{mfma_combine::block_first, *group};
  return std::nullopt;
}

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
    const std::string_view name = key;
    const auto wrong = [&](const char* expected) {
      return invalid_argument(fmt::format("set_option: {}={}: expected {}", key, value, expected));
    };
    cpu_backend& here = backend();
    const std::lock_guard lock(here.state.mutex);
    if (name == "lane_seed") {
      const auto seed = number<uint64_t>(value);
      if (!seed) return wrong("an integer from 0 to 2^64 - 1");
      here.device.set_lane_seed(*seed);
      return {};
    }
    if (name == "threads") {
      const auto threads = number<uint32_t>(value);
      if (!threads || *threads < 1 || *threads > 1024) return wrong("an integer from 1 to 1024");
      here.device.set_threads(*threads);
      return {};
    }
    if (name == "mfma_model") {
      const auto model = mfma_model_of(value);
      if (!model)
        return wrong("mfma_fused, mfma_seq, cdna3_trfdpa(L) or cdna3_gtrfdpa(L) with L 16, 32, 64 or 128, or "
                     "block_first_fdpa(n) with n 1, 2 or 4");
      here.state.mfma = *model;
      return {};
    }
    if (name == "mx_tile") return set_mx_tile(here.state, value);
    if (name == "mx_gemm") return set_mx_gemm(here.state, value);
    return unsupported(
        fmt::format("set_option: unknown key '{}': expected lane_seed, threads, mx_gemm, mx_tile or mfma_model", key));
  });
}

constexpr adahop_backend kBackend = make_table<state>(
    "hip-cpu", "the HIP kernels compiled for the host CPU, 64-lane waves as fibers, under checkers", set_option);

}  // namespace
}  // namespace adahop::hip

const adahop_backend* adahop_backend_hip_cpu(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::hip::kBackend : nullptr;
}
