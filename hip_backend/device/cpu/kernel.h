// What ADAHOP_KERNEL makes of a kernel on the CPU, and what CpuDevice is given to find it by name.
#pragma once
#include <cstddef>
#include <cstdint>

namespace adahop::hip {

struct cpu_kernel {
  const char* name = nullptr;
  /// Runs one thread of the kernel; `args` points to its argument struct.
  void (*entry)(const void* args) = nullptr;
  /// Threads in a block: what launch() must be asked for.
  uint32_t threads = 0;
  size_t args_bytes = 0;
};

}  // namespace adahop::hip
