// What the pipeline needs of a device: memory, copies, kernels by name, launches, timing. CpuDevice, SimDevice,
// HipDevice and CudaDevice stand behind it; the pipeline is written once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "adahop/status.h"

namespace adahop::hip {

struct extent3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// A kernel of a loaded module; valid as long as its device.
struct kernel_handle {
  const void* token = nullptr;
};

class device {
 public:
  device() = default;
  device(const device&) = delete;
  device& operator=(const device&) = delete;
  virtual ~device() = default;

  /// One line for people: what executes.
  virtual std::string_view description() const = 0;
  /// Lanes in a wave: 64 on gfx950 and hip-cpu, 32 on NVIDIA.
  virtual int wave_size() const = 0;

  /// `bytes` of device memory, 256-byte aligned, contents undefined. ADAHOP_OUT_OF_MEMORY when refused.
  virtual result<void*> allocate(size_t bytes) = 0;
  /// Frees what allocate() gave; null is allowed.
  virtual void release(void* memory) = 0;
  virtual status copy_to_device(void* target, const void* source, size_t bytes, void* stream) = 0;
  /// Returns after the data has arrived.
  virtual status copy_to_host(void* target, const void* source, size_t bytes, void* stream) = 0;
  virtual status fill_zero(void* target, size_t bytes, void* stream) = 0;

  /// A stream of its own, never null. What waits in it is done before release_stream() returns.
  virtual result<void*> create_stream() = 0;
  virtual status release_stream(void* stream) = 0;

  /// A kernel of kernels.def by name; ADAHOP_INTERNAL when the module lacks it, another code when it has one
  /// that cannot run.
  virtual result<kernel_handle> find_kernel(std::string_view name) = 0;
  /// Launches with one by-value argument struct of `args_bytes` bytes. A fault that the device reports later comes
  /// back from the next synchronize().
  virtual status launch(kernel_handle kernel, extent3 grid, extent3 block, const void* args, size_t args_bytes,
                        void* stream) = 0;
  virtual status synchronize(void* stream) = 0;

  /// Device time between two points of a stream, in milliseconds; stop_timer() waits for the second.
  virtual status start_timer(void* stream) = 0;
  virtual result<double> stop_timer(void* stream) = 0;
};

}  // namespace adahop::hip
