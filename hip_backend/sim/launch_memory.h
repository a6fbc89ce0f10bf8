// Global memory as one launch sees it: allocations, kernel arguments, and the checks of every access. From the ISA
// manual's chapter on flat memory; the checks are ours. Safe when workgroups run on several host threads.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/device_memory.h"
#include "sim/instruction.h"
#include "sim/options.h"
#include "sim/shadow_global.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

class output_footprint;

/// An address a lane.
using lane_addresses = uint64_t[kLanes];

class launch_memory {
 public:
  /// `kernarg`: the kernel's arguments, read-only; lives as long as the launch. `outputs`: what the kernel may write, or
  /// null where nobody knows. `groups`: workgroups of the launch.
  launch_memory(device_memory& memory, std::span<const std::byte> kernarg, const output_footprint* outputs,
                uint32_t groups, const options& settings);

  // Each throws fault where the access is outside memory, or a check that is switched on refuses it.

  /// Reads `bytes` (1, 2, 4, 8, 12 or 16) at the address of each of `lanes`: dword d of lane l goes to out[d][l], a byte
  /// or a short is zero-extended. Other lanes of `out` are left alone.
  void load(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes, lane_row* out);
  /// Writes likewise, in ascending lanes.
  void store(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
             const uint32_t* const* in);
  /// Checks an atomic update of `bytes` (4 or 8) a lane, a read and a write; the caller makes it, on the host's memory at
  /// those addresses, atomically.
  void check_atomic(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes);
  /// Reads `dwords` dwords for the wave as a whole.
  void load_scalar(const wave& w, const instruction& i, uint64_t at, uint32_t* out, unsigned dwords);

 private:
  struct region {
    uintptr_t begin = 0, end = 0;
    allocation* memory = nullptr;          ///< null: the kernel's arguments
    bool tracked = false;                  ///< races are looked for
    const byte_bitmap* outputs = nullptr;  ///< what may be written; null: nothing, where outputs are known
    bool holds(uint64_t at, size_t bytes) const { return at >= begin && at < end && bytes <= end - at; }
  };

  const region* find(uint64_t at, size_t bytes) const;
  // The regions of the lanes' accesses; faults where one is in none.
  void locate(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
              global_access access, const region** out) const;
  // Bytes [offset, offset + count) of a region, accessed by lanes from `lane` on, `each` bytes a lane; -1: by the wave.
  void check_bytes(const wave& w, const instruction& i, const region& r, global_access access, size_t offset,
                   size_t count, int lane, unsigned each);
  void check_lanes(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
                   const region* const* where, global_access access);
  global_accessor accessor(const wave& w, const instruction& i) const;
  std::string place(uint64_t at, size_t bytes) const;
  // An access that was made, for the trace of its wave.
  void show(const wave& w, const char* what, const lane_addresses& at, uint64_t lanes, unsigned bytes,
            const uint32_t* const* data) const;

  device_memory& memory_;
  allocation_list allocations_;
  std::vector<region> regions_;  ///< by address
  const options& settings_;
  bool has_footprint_ = false;
  uint32_t first_serial_ = 0;
  std::atomic<bool> atomics_{false};
};

/// Of w.group->global: for handlers of SMEM.
void load_scalar(wave& w, const instruction& i, uint64_t address, uint32_t* out, unsigned dwords);

}  // namespace adahop::hip::sim
