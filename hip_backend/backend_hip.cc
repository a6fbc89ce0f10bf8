// The C ABI over the pipeline on HipDevice. Implements SPEC 13.1-13.3, 13.6, 13.7.
#include "backend_hip.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "abi_call.h"
#include "device/hip/hip_device.h"
#include "pipeline/kernel_table.h"

namespace adahop::hip {
namespace {

constexpr auto kShapes = [] {
  std::array<hip_kernel_shape, kEveryKernel.size()> shapes{};
  for (size_t i = 0; i < shapes.size(); ++i) {
    const kernel_entry& k = kEveryKernel[i];
    shapes[i] = {k.name, k.threads, k.args_bytes, i < kKernels.size()};
  }
  return shapes;
}();

// The device, or why there is none. Never destroyed: HIP may be gone before the destructors of a process's end.
struct hip_backend {
  result<std::unique_ptr<HipDevice>> opened = HipDevice::open(gfx950_code_objects(), kShapes);
  std::string line;  ///< the device for people, or the reason
  backend_state state;

  hip_backend() {
    if (opened.ok()) set_target(state, *opened.value());
    line = opened.ok() ? std::string(opened.value()->description()) : opened.why().message();
  }
};

hip_backend& backend() {
  static auto* const instance = new hip_backend;
  return *instance;
}

result<backend_state*> state() {
  hip_backend& here = backend();
  if (!here.opened.ok()) return here.opened.why();
  return &here.state;
}

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
    const std::string_view name = key;
    if (name != "mx_tile" && name != "mx_gemm")
      return unsupported(fmt::format("set_option: unknown key '{}': expected mx_gemm or mx_tile", key));
    const result<backend_state*> here = state();
    if (!here.ok()) return here.why();
    const std::lock_guard lock(here.value()->mutex);
    return name == "mx_tile" ? set_mx_tile(*here.value(), value) : set_mx_gemm(*here.value(), value);
  });
}

}  // namespace
}  // namespace adahop::hip

const adahop_backend* adahop_backend_hip(uint32_t abi_version) {
  if (abi_version != ADAHOP_ABI_VERSION) return nullptr;
  static const adahop_backend table = adahop::hip::make_table<adahop::hip::state>(
      "hip", adahop::hip::backend().line.c_str(), adahop::hip::set_option);
  return &table;
}

const char* adahop_backend_hip_unavailable() {
  const adahop::hip::hip_backend& here = adahop::hip::backend();
  return here.opened.ok() ? nullptr : here.line.c_str();
}
