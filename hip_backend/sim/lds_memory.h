// LDS of one workgroup, and the checks of every access. From the ISA manual's chapter on data share; the checks are ours.
// Used by one host thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/access_log.h"
#include "sim/instruction.h"
#include "sim/shadow_lds.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

/// A byte address a lane.
using lds_addresses = uint32_t[kLanes];

class lds_memory {
 public:
  /// `bytes` bytes for a workgroup, with nothing in them: 0xFF.
  void begin_workgroup(uint32_t bytes);

  // Each throws fault where the access is outside LDS, or a check that is switched on refuses it.

  /// Reads `bytes` (1, 2, 4, 8, 12 or 16) a lane: dword d of lane l goes to out[d][l], a byte or a short is
  /// zero-extended. Other lanes of `out` are left alone.
  void load(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes, lane_row* out);
  /// Writes likewise, in ascending lanes.
  void store(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
             const uint32_t* const* in);
  /// Checks an atomic update of `bytes` (4 or 8) a lane, a read and a write; the caller makes it in ascending lanes.
  void check_atomic(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes);
  std::byte* data(uint32_t at) { return data_.data() + at; }
  /// Data that a global load will bring: written now, but nobody may touch it until arrive(). `bytes` is 4, 12 or 16.
  void store_arriving(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                      const uint32_t* const* in);

  /// The access for begin_access(): its ticket in the wave's access log, or 0 where no check needs it. `second`: the other
  /// addresses of a two-address instruction, or null.
  uint32_t record(wave& w, recorded_kind kind, const lds_addresses& at, const uint32_t* second, uint64_t lanes,
                  unsigned bytes) const;

  /// The data of a recorded store_arriving() is there.
  void arrive(const wave& w, const recorded_access& a);
  /// A recorded access under way when its wave passed a barrier counts as after it, which is `epoch`.
  void restamp(const wave& w, const recorded_access& a, uint32_t epoch);
  /// Before workgroup::epoch becomes `epoch`.
  void begin_epoch(uint32_t epoch) { shadow_.begin_epoch(epoch); }

 private:
  void check(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
             unsigned alignment, lds_access access);
  void check_place(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                   unsigned alignment, lds_access access) const;
  // Bytes [at, at + count), accessed by lanes from `lane` on, `each` bytes a lane.
  void check_bytes(const wave& w, const instruction& i, uint32_t at, uint32_t count, unsigned lane, unsigned each,
                   lds_access access);
  void put(const lds_addresses& at, uint64_t lanes, unsigned bytes, const uint32_t* const* in);

  uint32_t bytes_ = 0;
  std::vector<std::byte> data_;
  lds_shadow shadow_;
};

}  // namespace adahop::hip::sim
