// The width of a wave on hip-cpu: that of gfx950, or 32 as on NVIDIA and RDNA where ADAHOP_WAVE is 32. Every file of a
// program that sees it must see the same.
#pragma once
#include <cstdint>

#ifndef ADAHOP_WAVE
#define ADAHOP_WAVE 64
#endif

namespace adahop::hip::cpu {

inline constexpr uint32_t kWaveLanes = ADAHOP_WAVE;
static_assert(kWaveLanes == 32 || kWaveLanes == 64);
/// A bit for each lane.
inline constexpr uint64_t kAllLanes = ~uint64_t{0} >> (64 - kWaveLanes);
/// Threads of a block, as on gfx950.
inline constexpr uint32_t kMaxThreads = 1024;
/// Bytes that one lane can deposit in a wave operation.
inline constexpr uint32_t kDepositBytes = 256;
/// Shared memory of a block on gfx950 (160 KiB of LDS).
inline constexpr uint32_t kMaxSharedBytes = 160 * 1024;

}  // namespace adahop::hip::cpu
