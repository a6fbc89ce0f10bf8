// The kernel language for the target being compiled: macros and functions by the same names everywhere.
#pragma once

#if defined(ADAHOP_TARGET_CPU)
#include "device/cpu/lang.h"
#elif defined(__HIP_DEVICE_COMPILE__) || defined(__AMDGCN__)
#include "arch/gfx950/lang.h"
#else
#error "kernels are compiled for hip-cpu (ADAHOP_TARGET_CPU) or for an AMD GPU (clang -x hip)"
#endif
