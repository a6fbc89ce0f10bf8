// The CPU registry, expanded from kernels.def.
#include "kernels/cpu_kernels.h"

#include <array>

#include "device/cpu/lang.h"

namespace adahop::hip {

#define ADAHOP_WITHOUT_GFX950_KERNELS
#define ADAHOP_KERNEL_ENTRY(name, args, threads) ADAHOP_DECLARE_CPU_KERNEL(name);
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY

std::span<const cpu_kernel> cpu_kernels() {
  static const auto kernels = std::to_array<cpu_kernel>({
#define ADAHOP_KERNEL_ENTRY(name, args, threads) ADAHOP_CPU_KERNEL(name),
#include "kernels/kernels.def"
#undef ADAHOP_KERNEL_ENTRY
  });
  return kernels;
}

}  // namespace adahop::hip
