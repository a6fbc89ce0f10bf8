// How a tuned kernel is declared. Decides nothing numeric.
#pragma once
#include "arch/lang.h"

/// An extern "C" kernel of 256 threads with one POD argument struct whose waves share a SIMD two by two: 256 registers a
/// lane, AGPRs included.
#define ADAHOP_TUNED_KERNEL(name, args_struct)                                                                         \
  extern "C" __attribute__((global)) __attribute__((amdgpu_flat_work_group_size(256, 256)))                            \
  __attribute__((amdgpu_waves_per_eu(2, 2))) void name(const args_struct args)
