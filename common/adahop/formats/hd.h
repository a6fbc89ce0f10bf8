// The one macro that marks a function as callable from host and device code.
// Headers of this folder are freestanding: gfx950, CUDA and host builds include the same text.
#pragma once
#include <stdint.h>

#if defined(__HIP__) || defined(__CUDACC__)
#define ADAHOP_HD __attribute__((host)) __attribute__((device))
#else
#define ADAHOP_HD
#endif

namespace adahop {

/// The bits of an FP32 value.
ADAHOP_HD constexpr uint32_t bits_of(float v) { return __builtin_bit_cast(uint32_t, v); }

/// The FP32 value with these bits.
ADAHOP_HD constexpr float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// The one NaN that operations output (SPEC 1.4), as FP32 bits.
inline constexpr uint32_t kCanonicalNan = 0x7FC00000u;

}  // namespace adahop
