// Memory, launches and their faults on hip-cpu. Implements SPEC 1.2, 1.3, 13.4, 13.5.
#include "device/cpu/cpu_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>

#include "device/cpu/memory_fault.h"
#include "device/float_environment.h"
#include "device/shuffled_order.h"

namespace adahop::hip {
namespace {

// Every stack is two mappings, and Linux grants a process 65530 of them.
constexpr uint32_t kMaxDefaultThreads = 32;

status device_fault(std::string line) { return {ADAHOP_DEVICE, std::move(line)}; }

}  // namespace

CpuDevice::CpuDevice(std::span<const cpu_kernel> kernels) : kernels_(kernels.begin(), kernels.end()) {}

void CpuDevice::set_threads(uint32_t threads) {
  const std::lock_guard lock(mutex_);
  threads_ = threads;
}

void CpuDevice::set_lane_seed(uint64_t seed) {
  const std::lock_guard lock(mutex_);
  lane_seed_ = seed;
}

result<void*> CpuDevice::allocate(size_t bytes) {
  const std::lock_guard lock(mutex_);
  void* memory = memory_.allocate(bytes);
  if (memory == nullptr) return status{ADAHOP_OUT_OF_MEMORY, fmt::format("hip-cpu: no memory for {} bytes", bytes)};
  return memory;
}

void CpuDevice::release(void* memory) {
  if (memory == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (auto damage = memory_.check()) damage_ = "hip-cpu: the host " + *damage;
  if (!memory_.release(memory)) damage_ = "hip-cpu: release of a pointer that allocate() did not give";
}

status CpuDevice::check_range(const char* what, const void* memory, size_t bytes) const {
  if (memory_.covers(memory, bytes)) return {};
  return device_fault(fmt::format("hip-cpu: {} of {} bytes at {} leaves it", what, bytes,
                                  memory_.describe(memory).value_or("an unknown address")));
}

status CpuDevice::copy_to_device(void* target, const void* source, size_t bytes, void*) {
  const std::lock_guard lock(mutex_);
  ADAHOP_TRY(check_range("copy to the device", target, bytes));
  if (bytes != 0) std::memcpy(target, source, bytes);
  return {};
}

status CpuDevice::copy_to_host(void* target, const void* source, size_t bytes, void*) {
  const std::lock_guard lock(mutex_);
  ADAHOP_TRY(check_range("copy to the host", source, bytes));
  if (bytes != 0) std::memcpy(target, source, bytes);
  return {};
}

status CpuDevice::fill_zero(void* target, size_t bytes, void*) {
  const std::lock_guard lock(mutex_);
  ADAHOP_TRY(check_range("fill", target, bytes));
  if (bytes != 0) std::memset(target, 0, bytes);
  return {};
}

// A handle that nobody looks behind, since streams are ignored.
result<void*> CpuDevice::create_stream() { return static_cast<void*>(this); }

status CpuDevice::release_stream(void*) { return {}; }

result<kernel_handle> CpuDevice::find_kernel(std::string_view name) {
  for (const cpu_kernel& kernel : kernels_) {
    if (name == kernel.name) return kernel_handle{&kernel};
  }
  return status{ADAHOP_INTERNAL, fmt::format("hip-cpu: no kernel {} among the {} compiled in", name, kernels_.size())};
}

status CpuDevice::launch(kernel_handle handle, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                         void*) {
  const std::lock_guard lock(mutex_);
  const auto& kernel = *static_cast<const cpu_kernel*>(handle.token);
  if (block.x != kernel.threads || block.y != 1 || block.z != 1 || grid.z != 1) {
    return {ADAHOP_INTERNAL,
            fmt::format("hip-cpu: launch of {} with blocks ({},{},{}) and grid depth {}, expected ({},1,1) and 1",
                        kernel.name, block.x, block.y, block.z, grid.z, kernel.threads)};
  }
  if (args_bytes != kernel.args_bytes) {
    return {ADAHOP_INTERNAL, fmt::format("hip-cpu: launch of {} with {} argument bytes, expected {}", kernel.name,
                                         args_bytes, kernel.args_bytes)};
  }
  if (grid.x == 0 || grid.y == 0) return {};
  std::optional<cpu::block_fault> fault = run_grid(kernel, grid, args);
  const std::optional<std::string> damage = memory_.check();
  if (fault) return device_fault(line_of(*fault));
  if (damage) return device_fault(fmt::format("hip-cpu: kernel {} {}", kernel.name, *damage));
  return {};
}

// Blocks start in order of their places. After a fault no later place starts, but earlier ones end: so the fault that
// is reported, that of the first place, does not depend on the number of threads.
std::optional<cpu::block_fault> CpuDevice::run_grid(const cpu_kernel& kernel, extent3 grid, const void* args) {
  const uint64_t blocks = uint64_t{grid.x} * grid.y;
  const shuffled_order order(blocks, lane_seed_);
  const uint32_t wanted =
      threads_ != 0 ? threads_ : std::clamp(std::thread::hardware_concurrency(), 1u, kMaxDefaultThreads);
  auto workers = static_cast<uint32_t>(std::min<uint64_t>(wanted, blocks));
  for (uint32_t w = 0; w < workers; w++) {
    if (workers_.size() == w) workers_.push_back(std::make_unique<cpu::block_execution>());
    if (!workers_[w]->begin_kernel(kernel, args, lane_seed_)) workers = w;
  }
  if (workers == 0) {
    cpu::block_fault refused;
    refused.line = fmt::format("hip-cpu: no memory for the stacks of kernel {}", kernel.name);
    return refused;
  }
  std::atomic<uint64_t> next_place = 0;
  std::atomic<uint64_t> fault_place = blocks;
  std::optional<cpu::block_fault> fault;
  std::mutex fault_mutex;
  const cpu::memory_fault_scope handlers;
  pool_.run(workers, [&](uint32_t number) {
    const default_float_environment floats;
    const cpu::signal_stack_scope signal_stack;
    cpu::block_execution& worker = *workers_[number];
    for (uint64_t place; (place = next_place++) < fault_place;) {
      const uint64_t index = order.at(place);
      auto found = worker.run(static_cast<uint32_t>(index % grid.x), static_cast<uint32_t>(index / grid.x), index);
      if (!found) continue;
      const std::lock_guard lock(fault_mutex);
      if (place < fault_place) {
        fault_place = place;
        fault = std::move(found);
      }
    }
  });
  return fault;
}

std::string CpuDevice::line_of(const cpu::block_fault& fault) const {
  if (!fault.memory_fault) return fault.line;
  const std::optional<std::string> known = memory_.describe(fault.address);
  return cpu::fault_line("global access out of bounds", fault.place, cpu::text_after(fault.last_site),
                         known.value_or(fmt::format("address {} belongs to no allocation", fault.address)));
}

status CpuDevice::synchronize(void*) {
  const std::lock_guard lock(mutex_);
  if (damage_.empty()) return {};
  return device_fault(std::exchange(damage_, {}));
}

status CpuDevice::start_timer(void*) {
  const std::lock_guard lock(mutex_);
  timer_start_ = std::chrono::steady_clock::now();
  return {};
}

result<double> CpuDevice::stop_timer(void*) {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - timer_start_).count();
}

}  // namespace adahop::hip
