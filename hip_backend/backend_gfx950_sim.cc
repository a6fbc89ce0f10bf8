// The C ABI over the pipeline on SimDevice, and its options. Implements SPEC 13.1-13.3, 13.8-13.10.
#include "backend_gfx950_sim.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "abi_call.h"
#include "adahop/io/file.h"
#include "sim/sim_device.h"

namespace adahop::hip {
namespace {

// A file of this size is no code object, and reading it would only take memory.
constexpr uintmax_t kMaxCodeObject = uintmax_t{1} << 30;

// One device for the process, or why there is none.
struct sim_backend {
  result<std::unique_ptr<SimDevice>> opened;
  std::string line;  ///< the device for people, or the reason
  backend_state state;

  sim_backend()
      : opened(SimDevice::open(std::array<sim_level, 2>{{{"O3", gfx950_code_objects()}, {"O2", gfx950_code_objects_O2()}}})) {
    state.concurrent = true;
    if (opened.ok()) set_target(state, *opened.value());
    line = opened.ok() ? std::string(opened.value()->description()) : opened.why().message();
  }
};

sim_backend& backend() {
  static sim_backend instance;
  return instance;
}

result<backend_state*> state() {
  sim_backend& here = backend();
  if (!here.opened.ok()) return here.opened.why();
  return &here.state;
}

status set_code_object(SimDevice& device, const char* file) {
  if (*file == '\0') return device.replace_kernels("", {});
  std::error_code unknown;  // then read_file() says why
  const uintmax_t size = std::filesystem::file_size(file, unknown);
  if (!unknown && size > kMaxCodeObject)
    return bad_file(fmt::format("{}: a code object of {} bytes, expected at most {}", file, size, kMaxCodeObject));
  ADAHOP_ASSIGN(bytes, io::read_file(file));
  return device.replace_kernels(file, std::as_bytes(std::span(bytes)));
}

int32_t set_option(const char* key, const char* value) {
  return guarded([&]() -> status {
    if (key == nullptr || value == nullptr) return invalid_argument("set_option: key or value is null");
    ADAHOP_TRY(state().why());
    sim_backend& here = backend();
    SimDevice& device = *here.opened.value();
    const std::string_view name = key;
    if (name == "code_object") return set_code_object(device, value);
    if (name == "mx_tile" || name == "mx_gemm") {
      const std::lock_guard lock(here.state.mutex);
      return name == "mx_tile" ? set_mx_tile(here.state, value) : set_mx_gemm(here.state, value);
    }
    return device.set_option(name, value);
  });
}

}  // namespace
}  // namespace adahop::hip

const adahop_backend* adahop_backend_gfx950_sim(uint32_t abi_version) {
  if (abi_version != ADAHOP_ABI_VERSION) return nullptr;
  static const adahop_backend table = adahop::hip::make_table<adahop::hip::state>(
      "gfx950-sim", adahop::hip::backend().line.c_str(), adahop::hip::set_option);
  return &table;
}

const char* adahop_backend_gfx950_sim_unavailable() {
  const adahop::hip::sim_backend& here = adahop::hip::backend();
  return here.opened.ok() ? nullptr : here.line.c_str();
}

adahop_gfx950_sim_work adahop_backend_gfx950_sim_executed() {
  const adahop::hip::sim_backend& here = adahop::hip::backend();
  if (!here.opened.ok()) return {};
  const adahop::hip::sim_statistics done = here.opened.value()->statistics();
  return {done.launches, done.wave_instructions, done.seconds};
}
