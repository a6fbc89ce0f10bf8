// The kernels that hold no matrix tile, compiled for waves of 32 lanes, as a backend by path: hip-cpu otherwise, and its
// capability record leaves the MX product and what needs it out.
#include <cstdlib>
#include <string_view>

#include "abi_call.h"
#include "device/cpu/cpu_device.h"
#include "kernels/cpu_kernels.h"

namespace adahop::hip {
namespace {

static_assert(cpu::kWaveLanes == 32);

struct wave32_backend {
  CpuDevice device{cpu_kernels()};
  backend_state state;
  wave32_backend() { state.target = &device; }
};

wave32_backend& backend() {
  static wave32_backend instance;
  return instance;
}

result<backend_state*> state() { return &backend().state; }

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (std::string_view(key) != "lane_seed") return unsupported("set_option: expected lane_seed");
    backend().device.set_lane_seed(std::strtoull(value, nullptr, 10));
    return {};
  });
}

constexpr adahop_backend kTable = [] {
  adahop_backend table = make_table<state>("hip-cpu-wave32", "the HIP kernels without matrix tiles in 32-lane waves", set_option);
  table.capabilities.ops &= ~(bit(ADAHOP_OP_MX_GEMM) | bit(ADAHOP_OP_MATMUL));
  table.capabilities.modes = bit(ADAHOP_MODE_BITEXACT);
  return table;
}();

}  // namespace
}  // namespace adahop::hip

extern "C" __attribute__((visibility("default"))) const adahop_backend* adahop_backend_entry(uint32_t abi_version) {
  return abi_version == ADAHOP_ABI_VERSION ? &adahop::hip::kTable : nullptr;
}
