// The kernels of kernels.def as CpuDevice wants them.
#pragma once
#include <span>

#include "device/cpu/kernel.h"

namespace adahop::hip {

std::span<const cpu_kernel> cpu_kernels();

}  // namespace adahop::hip
