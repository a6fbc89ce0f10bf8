// Comparing and setting stamps of global memory.
#include "sim/shadow_global.h"

#include <bit>

namespace adahop::hip::sim {
namespace {

constexpr uint64_t kWaves = (uint64_t{1} << kEpochShift) - 1;

uint32_t serial_of(uint64_t stamp) { return static_cast<uint32_t>(stamp >> kSerialShift); }

bool conflicts(uint64_t old, const global_accessor& by, uint64_t mine) {
  if (serial_of(old) < by.first_serial) return false;                // nobody, or an earlier launch
  if (serial_of(old) != by.serial || (old & kSeveral) != 0) return true;
  const bool same_epoch = ((old ^ mine) & ~kWaves) == 0;
  return same_epoch && (old & kWaves & ~mine) != 0;
}

void mark(uint64_t& stamp, const global_accessor& by, uint64_t mine) {
  if (serial_of(stamp) < by.first_serial) {
    stamp = mine;
  } else if (serial_of(stamp) != by.serial) {
    stamp |= kSeveral;
  } else {
    const bool same_epoch = ((stamp ^ mine) & ~(kWaves | kSeveral)) == 0;
    stamp = same_epoch ? stamp | mine : (stamp & kSeveral) | mine;
  }
}

global_conflict describe(uint64_t old, const global_accessor& by, uint64_t mine, global_access access, size_t offset) {
  global_conflict c{offset, access, {}, {}};
  if (serial_of(old) != by.serial) {
    c.group = serial_of(old) - by.first_serial;
  } else if ((old & kSeveral) == 0) {
    c.group = by.serial - by.first_serial;
    c.wave = static_cast<uint32_t>(std::countr_zero(old & kWaves & ~mine));
  }
  return c;
}

// The first byte whose stamp conflicts.
std::optional<global_conflict> find(const uint64_t* stamps, const global_accessor& by, uint64_t mine,
                                    global_access access, size_t offset, size_t count) {
  for (size_t n = offset; n < offset + count; ++n)
    if (stamps[n] != mine && conflicts(stamps[n], by, mine)) return describe(stamps[n], by, mine, access, n);
  return {};
}

void mark_all(uint64_t* stamps, const global_accessor& by, uint64_t mine, size_t offset, size_t count) {
  for (size_t n = offset; n < offset + count; ++n)
    if (stamps[n] != mine) mark(stamps[n], by, mine);
}

}  // namespace

std::optional<global_conflict> access_bytes(access_stamps& stamps, const global_accessor& by, global_access access,
                                            size_t offset, size_t count, bool atomics) {
  const uint64_t mine = by.stamp();
  if (auto c = find(stamps.write.get(), by, mine, global_access::write, offset, count)) return c;
  if (access != global_access::read)
    if (auto c = find(stamps.read.get(), by, mine, global_access::read, offset, count)) return c;
  if (access != global_access::atomic && atomics)
    if (auto c = find(stamps.atomic.get(), by, mine, global_access::atomic, offset, count)) return c;
  switch (access) {
    case global_access::read: mark_all(stamps.read.get(), by, mine, offset, count); break;
    case global_access::write: mark_all(stamps.write.get(), by, mine, offset, count); break;
    case global_access::atomic: mark_all(stamps.atomic.get(), by, mine, offset, count); break;
  }
  return {};
}

}  // namespace adahop::hip::sim
