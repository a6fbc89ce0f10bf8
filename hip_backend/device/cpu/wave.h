// The width of a wave on hip-cpu: that of gfx950.
#pragma once
#include <cstdint>

namespace adahop::hip::cpu {

inline constexpr uint32_t kWaveLanes = 64;
/// Threads of a block, as on gfx950.
inline constexpr uint32_t kMaxThreads = 1024;
/// Bytes that one lane can deposit in a wave operation.
inline constexpr uint32_t kDepositBytes = 256;
/// Shared memory of a block on gfx950 (160 KiB of LDS).
inline constexpr uint32_t kMaxSharedBytes = 160 * 1024;

}  // namespace adahop::hip::cpu
