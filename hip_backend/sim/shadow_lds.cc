// Comparing and setting the stamps of LDS.
#include "sim/shadow_lds.h"

#include <algorithm>
#include <bit>

namespace adahop::hip::sim {
namespace {

constexpr uint8_t kWritten = 1, kArriving = 2;
constexpr uint32_t kEpoch = 0xFFFF0000u, kWaves = 0x0000FFFFu, kMaxStretch = 0xFFFFu;

// Waves other than mine that accessed the byte since the same barrier.
uint32_t others(uint32_t stamp, uint32_t mine) {
  return ((stamp ^ mine) & kEpoch) == 0 ? stamp & kWaves & ~mine : 0;
}

}  // namespace

void lds_shadow::clear_stamps() {
  for (stamps* s : {&write_, &read_, &atomic_}) std::fill(s->begin(), s->end(), 0u);
}

void lds_shadow::begin_workgroup(uint32_t bytes) {
  state_.assign(bytes, 0);
  if (write_.size() < bytes)
    for (stamps* s : {&write_, &read_, &atomic_}) s->resize(bytes);
  active_ = {};
  arriving_ = 0;
  base_ += last_epoch_ + 1;
  last_epoch_ = 0;
  if (base_ > kMaxStretch) {
    clear_stamps();
    base_ = 1;
  }
}

void lds_shadow::begin_epoch(uint32_t epoch) {
  last_epoch_ = epoch;
  active_ = {};
  if (base_ + epoch <= kMaxStretch) return;
  // What is kept is older than this barrier, so it conflicts with nothing any more.
  clear_stamps();
  base_ = 1 - epoch;
}

void lds_shadow::mark_written(uint32_t at, uint32_t count) {
  for (uint32_t n = at; n < at + count; ++n) state_[n] |= kWritten;
}

void lds_shadow::mark_arriving(uint32_t at, uint32_t count) {
  for (uint32_t n = at; n < at + count; ++n) state_[n] |= kArriving;
  arriving_ += count;
}

void lds_shadow::mark_arrived(uint32_t at, uint32_t count) {
  for (uint32_t n = at; n < at + count; ++n) state_[n] &= static_cast<uint8_t>(~kArriving);
  arriving_ -= count;
}

std::optional<uint32_t> lds_shadow::find_unwritten(uint32_t at, uint32_t count) const {
  uint8_t all = kWritten;  // the whole range first: a loop without a way out runs many bytes at a time
  for (uint32_t n = at; n < at + count; ++n) all &= state_[n];
  if (all != 0) return {};
  while ((state_[at] & kWritten) != 0) ++at;
  return at;
}

std::optional<uint32_t> lds_shadow::find_arriving(uint32_t at, uint32_t count) const {
  if (arriving_ == 0) return {};
  uint8_t any = 0;
  for (uint32_t n = at; n < at + count; ++n) any |= state_[n];
  if ((any & kArriving) == 0) return {};
  while ((state_[at] & kArriving) == 0) ++at;
  return at;
}

std::optional<lds_conflict> lds_shadow::find(const stamps& s, uint32_t at, uint32_t count, lds_access kind,
                                             uint32_t mine) {
  uint32_t any = 0;
  for (uint32_t n = at; n < at + count; ++n) any |= others(s[n], mine);
  if (any == 0) return {};
  for (uint32_t n = at;; ++n)
    if (const uint32_t waves = others(s[n], mine); waves != 0)
      return lds_conflict{n, kind, static_cast<uint32_t>(std::countr_zero(waves))};
}

void lds_shadow::mark(stamps& s, uint32_t at, uint32_t count, uint32_t mine) {
  for (uint32_t n = at; n < at + count; ++n) s[n] = ((s[n] ^ mine) & kEpoch) == 0 ? s[n] | mine : mine;
}

std::optional<lds_conflict> lds_shadow::access(uint32_t at, uint32_t count, lds_access kind, uint32_t epoch,
                                               uint32_t wave) {
  const uint32_t mine = stamp_of(epoch, wave);
  // Mostly nobody else has written since the barrier, or nobody has read: then there is nothing to look for.
  if (others_active(lds_access::write, wave))
    if (auto c = find(write_, at, count, lds_access::write, mine)) return c;
  if (kind != lds_access::read && others_active(lds_access::read, wave))
    if (auto c = find(read_, at, count, lds_access::read, mine)) return c;
  if (kind != lds_access::atomic && others_active(lds_access::atomic, wave))
    if (auto c = find(atomic_, at, count, lds_access::atomic, mine)) return c;
  stamp(at, count, kind, epoch, wave);
  return {};
}

void lds_shadow::stamp(uint32_t at, uint32_t count, lds_access kind, uint32_t epoch, uint32_t wave) {
  const uint32_t mine = stamp_of(epoch, wave);
  active_[static_cast<size_t>(kind)] |= 1u << wave;
  switch (kind) {
    case lds_access::read: mark(read_, at, count, mine); break;
    case lds_access::write: mark(write_, at, count, mine); break;
    case lds_access::atomic: mark(atomic_, at, count, mine); break;
  }
}

}  // namespace adahop::hip::sim
