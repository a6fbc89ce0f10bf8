// Races on global memory: which accesses of a byte no barrier orders. Within a workgroup a barrier orders accesses of
// different waves; accesses of different workgroups of a launch are never ordered. Reads do not race with reads, nor
// atomics with atomics. Our rule, after the memory model of a kernel without fences.
//
// A barrier orders accesses that a wave has not waited for too: outside TG_SPLIT mode, which loading refuses, the waves of a
// workgroup share a compute unit, and its vector cache keeps their accesses in order. So LLVM's memory model of gfx942 has
// it, and clang leaves out the wait before the barrier.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/device_memory.h"

namespace adahop::hip::sim {

// A stamp says who accessed a byte: number of the workgroup, 28 bits, rising from launch to launch so that nothing has
// to be cleared (0: nobody); one bit "other workgroups of the launch too"; barriers passed, 19 bits; waves since that
// barrier, 16 bits. Two workgroups are enough: whoever conflicts with accesses of several, one of them is another.
inline constexpr unsigned kSerialShift = 36;
inline constexpr uint64_t kSeveral = uint64_t{1} << 35;
inline constexpr unsigned kEpochShift = 16;
inline constexpr uint32_t kMaxEpoch = (1u << 19) - 1;
inline constexpr uint32_t kMaxSerial = (1u << 28) - 1;

enum class global_access : uint8_t { read, write, atomic };

/// Who accesses, and what counts as this launch.
struct global_accessor {
  uint32_t first_serial = 0;  ///< of the launch
  uint32_t serial = 0;        ///< of the workgroup
  uint32_t epoch = 0;
  uint32_t wave = 0;
  uint64_t stamp() const {
    return uint64_t{serial} << kSerialShift | uint64_t{epoch} << kEpochShift | uint64_t{1} << wave;
  }
};

/// A conflict: the byte and the other side.
struct global_conflict {
  size_t offset = 0;
  global_access access = global_access::read;
  std::optional<uint32_t> group;  ///< number in the grid; none: another than the accessor's own, not known which
  std::optional<uint32_t> wave;   ///< known where the group is the accessor's own
};

/// Checks bytes [offset, offset + count) against everything this launch did and stamps them. The caller holds their lock;
/// `atomics`: whether the launch has made an atomic access at all.
std::optional<global_conflict> access_bytes(access_stamps& stamps, const global_accessor& by, global_access access,
                                            size_t offset, size_t count, bool atomics);

}  // namespace adahop::hip::sim
