// Launches within the limits that all targets share.
#include "pipeline/context.h"

#include <fmt/format.h>

#include "pipeline/workspace.h"

namespace adahop::hip {
namespace {

// Thread blocks along x times 256 threads must stay below 2^32 on AMD; y is at most 65535 on NVIDIA.
constexpr int64_t kMaxGridX = (int64_t{1} << 24) - 1;
constexpr int64_t kMaxGridY = 65535;

}  // namespace

status context::launch_bytes(kernel k, int64_t grid_x, int64_t grid_y, const void* args, size_t args_bytes) const {
  const kernel_entry& entry = kEveryKernel[static_cast<size_t>(k)];
  if (args_bytes != entry.args_bytes)
    return {ADAHOP_INTERNAL, fmt::format("kernel {}: {} bytes of arguments, it takes {}", entry.name, args_bytes, entry.args_bytes)};
  if (grid_x == 0 || grid_y == 0) return {};
  if (grid_x > kMaxGridX || grid_y > kMaxGridY)
    return unsupported(fmt::format("kernel {}: a grid of {} x {} blocks is above the limit of {} x {}", entry.name, grid_x,
                                   grid_y, kMaxGridX, kMaxGridY));
  const result<kernel_handle> handle = target.find_kernel(entry.name);
  if (!handle.ok()) return handle.why();
  const extent3 grid{static_cast<uint32_t>(grid_x), static_cast<uint32_t>(grid_y), 1};
  return target.launch(handle.value(), grid, {entry.threads, 1, 1}, args, args_bytes, stream);
}

result<device_buffer> allocate(const context& on, int64_t bytes) {
  if (bytes == 0) return device_buffer{};
  const auto size = static_cast<size_t>(bytes);
  const result<void*> memory = on.from != nullptr ? on.from->take(size) : on.target.allocate(size);
  if (!memory.ok()) return memory.why();
  return device_buffer{on.from != nullptr ? nullptr : &on.target, memory.value()};
}

}  // namespace adahop::hip
