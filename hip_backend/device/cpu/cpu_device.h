// CpuDevice: runs kernels compiled for the host, each thread as a fiber, and stops a launch at the first thing a GPU
// would leave undefined. Implements SPEC 1.2, 1.3, 13.4, 13.5.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/cpu/block_execution.h"
#include "device/cpu/guarded_memory.h"
#include "device/cpu/kernel.h"
#include "device/cpu/worker_pool.h"
#include "device/device.h"

namespace adahop::hip {

/// Device memory is host memory, so kernels may be given any host pointer; only allocate()'s is guarded. Streams are
/// ignored: every call has done its work when it returns, and a fault comes back from launch() itself. Calls from
/// several threads wait for each other.
class CpuDevice final : public device {
 public:
  /// The kernels that find_kernel() knows; copied.
  explicit CpuDevice(std::span<const cpu_kernel> kernels);

  /// OS threads that blocks are spread over; 0 (the default) is one for each processor, 32 at most.
  void set_threads(uint32_t threads);
  /// Order of lanes, waves and blocks: 0 (the default) is ascending, any other number is a shuffle of its own.
  void set_lane_seed(uint64_t seed);

  std::string_view description() const override { return "hip-cpu: HIP kernels compiled for the host, run as fibers"; }
  int wave_size() const override { return static_cast<int>(cpu::kWaveLanes); }

  result<void*> allocate(size_t bytes) override;
  void release(void* memory) override;
  status copy_to_device(void* target, const void* source, size_t bytes, void* stream) override;
  status copy_to_host(void* target, const void* source, size_t bytes, void* stream) override;
  status fill_zero(void* target, size_t bytes, void* stream) override;
  result<void*> create_stream() override;
  status release_stream(void* stream) override;
  result<kernel_handle> find_kernel(std::string_view name) override;
  status launch(kernel_handle kernel, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                void* stream) override;
  status synchronize(void* stream) override;
  status start_timer(void* stream) override;
  result<double> stop_timer(void* stream) override;

 private:
  status check_range(const char* what, const void* memory, size_t bytes) const;
  std::optional<cpu::block_fault> run_grid(const cpu_kernel& kernel, extent3 grid, const void* args);
  std::string line_of(const cpu::block_fault& fault) const;

  std::mutex mutex_;
  std::vector<cpu_kernel> kernels_;
  uint32_t threads_ = 0;
  uint64_t lane_seed_ = 0;
  cpu::guarded_memory memory_;
  std::vector<std::unique_ptr<cpu::block_execution>> workers_;
  cpu::worker_pool pool_;
  /// Damage found while releasing, for the next synchronize().
  std::string damage_;
  std::chrono::steady_clock::time_point timer_start_;
};

}  // namespace adahop::hip
