// Accesses of LDS. Alignment: 12 bytes and what a global load brings need dwords, other accesses their own size. That is
// the ISA manual's aligned mode; in the unaligned mode of the Linux driver the hardware is more tolerant, but an address
// that is off shows this way.
#include "sim/lds_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/fault.h"
#include "sim/lane_collision.h"
#include "sim/lane_memory.h"
#include "sim/trace_wave.h"

namespace adahop::hip::sim {
namespace {

constexpr std::byte kGarbage{0xFF};

constexpr unsigned kDword = 4;
constexpr unsigned kMaxDwords = 4;  ///< of an access

unsigned alignment_of(unsigned bytes) { return bytes == 12 ? kDword : bytes; }

const char* verb(lds_access a) {
  return a == lds_access::read ? "reads" : a == lds_access::write ? "writes" : "updates";
}
const char* participle(lds_access a) {
  return a == lds_access::read ? "read" : a == lds_access::write ? "written" : "updated";
}
std::string bytes_at(uint32_t at, unsigned bytes) {
  return bytes == 1 ? fmt::format("byte {}", at) : fmt::format("bytes {}-{}", at, at + bytes - 1);
}

lds_access access_of(recorded_kind kind) {
  return kind == recorded_kind::lds_read    ? lds_access::read
         : kind == recorded_kind::lds_write ? lds_access::write
                                            : lds_access::atomic;
}

template <class F>
void for_ranges(const recorded_access& a, F f) {
  for_lanes(a.lanes, [&](unsigned l) {
    f(static_cast<uint32_t>(a.address[l]), l);
    if (a.second) f(static_cast<uint32_t>(a.address[l] >> 32), l);
  });
}

// An access that was made, for the trace of its wave.
void show(const wave& w, const char* what, const lds_addresses& at, uint64_t lanes, unsigned bytes,
          const uint32_t* const* data) {
  w.trace->access(what, lanes, bytes, [&](unsigned l) { return fmt::format("byte {}", at[l]); }, data);
}

bool shadowed(const wave& w) {
  const checks& check = w.group->settings->check;
  return check.uninitialized || check.pending || check.races;
}

}  // namespace

void lds_memory::begin_workgroup(uint32_t bytes) {
  bytes_ = bytes;
  data_.assign(bytes, kGarbage);
  shadow_.begin_workgroup(bytes);
}

void lds_memory::check_place(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                             unsigned alignment, lds_access access) const {
  if (!w.group->settings->check.alignment) alignment = 1;
  uint32_t misaligned = 0;
  bool outside = false;
  for_lanes(lanes, [&](unsigned l) {
    outside |= uint64_t{at[l]} + bytes > bytes_;
    misaligned |= at[l] & (alignment - 1);
  });
  if (!outside && misaligned == 0) return;
  for_lanes(lanes, [&](unsigned l) {
    const auto lane = static_cast<int>(l);
    if (uint64_t{at[l]} + bytes > bytes_)
      fail(w, i, "access outside LDS",
           fmt::format("lane {} {} {} of a workgroup with {} bytes of LDS", l, verb(access), bytes_at(at[l], bytes), bytes_),
           lane);
    if ((at[l] & (alignment - 1)) != 0)
      fail(w, i, "misaligned LDS access",
           fmt::format("lane {} {} {} bytes at byte {}, expected a multiple of {}", l, verb(access), bytes, at[l], alignment),
           lane);
  });
}

void lds_memory::check_bytes(const wave& w, const instruction& i, uint32_t at, uint32_t count, unsigned lane,
                             unsigned each, lds_access access) {
  const checks& check = w.group->settings->check;
  const auto who = [&](uint32_t byte) { return lane + (byte - at) / each; };
  const auto what = [&](uint32_t byte) {
    return fmt::format("wave {} lane {} {} {}", w.number, who(byte), verb(access),
                       bytes_at(at + (byte - at) / each * each, each));
  };
  const auto stop = [&](uint32_t byte, const char* kind, const std::string& why) {
    fail(w, i, kind, fmt::format("{}; byte {} {}", what(byte), byte, why), static_cast<int>(who(byte)));
  };
  if (check.pending)
    if (const auto byte = shadow_.find_arriving(at, count))
      stop(*byte, "use of a load's result before its s_waitcnt", "is still to come from a global load into LDS");
  if (check.uninitialized && access != lds_access::write)
    if (const auto byte = shadow_.find_unwritten(at, count)) stop(*byte, "read of LDS never written", "has no value");
  if (check.races)
    if (const auto c = shadow_.access(at, count, access, w.group->epoch, w.number))
      stop(c->at, "LDS race", fmt::format("was {} by wave {} with no barrier between", participle(c->access), c->wave));
  if (check.uninitialized && access != lds_access::read) shadow_.mark_written(at, count);
}

void lds_memory::check(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                       unsigned alignment, lds_access access) {
  check_place(w, i, at, lanes, bytes, alignment, access);
  if (!shadowed(w)) return;
  // Runs of lanes whose bytes follow one another are checked at once.
  uint32_t begin = 0, count = 0;
  unsigned first = 0, last = 0;
  for_lanes(lanes, [&](unsigned l) {
    if (count != 0 && l == last + 1 && at[l] == begin + count) {
      count += bytes;
    } else {
      if (count != 0) check_bytes(w, i, begin, count, first, bytes, access);
      begin = at[l];
      count = bytes;
      first = l;
    }
    last = l;
  });
  if (count != 0) check_bytes(w, i, begin, count, first, bytes, access);
}

void lds_memory::load(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                      lane_row* out) {
  check(w, i, at, lanes, bytes, alignment_of(bytes), lds_access::read);
  with_size(bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned l) { read_lane<Bytes>(data_.data() + at[l], l, out); });
  });
  if (w.trace == nullptr) return;
  const uint32_t* rows[kMaxDwords];
  for (unsigned d = 0; d < (bytes + 3) / kDword; ++d) rows[d] = out[d];
  show(w, "LDS read", at, lanes, bytes, rows);
}

void lds_memory::store(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes, unsigned bytes,
                       const uint32_t* const* in) {
  check(w, i, at, lanes, bytes, alignment_of(bytes), lds_access::write);
  put(at, lanes, bytes, in);
  if (w.group->settings->check.races)
    if (const auto c = find_collision(at, lanes, bytes, in, [&](unsigned l) { return data_.data() + at[l]; }))
      fail(w, i, kLaneRace, describe(*c, fmt::format("byte {} of LDS", c->at)), static_cast<int>(c->lost));
  if (w.trace != nullptr) show(w, "LDS write", at, lanes, bytes, in);
}

void lds_memory::put(const lds_addresses& at, uint64_t lanes, unsigned bytes, const uint32_t* const* in) {
  with_size(bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned l) { write_lane<Bytes>(data_.data() + at[l], l, in); });
  });
}

void lds_memory::check_atomic(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes,
                              unsigned bytes) {
  check(w, i, at, lanes, bytes, bytes, lds_access::atomic);
  if (w.trace != nullptr) show(w, "LDS atomic", at, lanes, bytes, nullptr);
}

void lds_memory::store_arriving(const wave& w, const instruction& i, const lds_addresses& at, uint64_t lanes,
                                unsigned bytes, const uint32_t* const* in) {
  check(w, i, at, lanes, bytes, kDword, lds_access::write);
  put(at, lanes, bytes, in);
  if (w.trace != nullptr) show(w, "write of loaded data into LDS", at, lanes, bytes, in);
  if (!w.group->settings->check.pending) return;
  for_lanes(lanes, [&](unsigned l) { shadow_.mark_arriving(at[l], bytes); });
  // LDS instructions and loads into LDS do not wait for each other, even those of one wave.
  for (const pending_access& p : w.lgkm_pending) {
    if (p.lds_ticket == 0) continue;
    const recorded_access& a = w.log->at(p.lds_ticket);
    for_ranges(a, [&](uint32_t begin, unsigned) {
      if (const auto byte = shadow_.find_arriving(begin, a.bytes))
        fail(w, i, "load into LDS that is still in use",
             fmt::format("byte {} was accessed by '{}' of the same wave, which has not been waited for", *byte, p.by->text));
    });
  }
}

uint32_t lds_memory::record(wave& w, recorded_kind kind, const lds_addresses& at, const uint32_t* second, uint64_t lanes,
                            unsigned bytes) const {
  const checks& check = w.group->settings->check;
  if (!check.races && !check.pending) return 0;
  access_log& log = log_of(w);
  const uint32_t ticket = log.add();
  recorded_access& a = log.at(ticket);
  a.kind = kind;
  a.bytes = static_cast<uint8_t>(bytes);
  a.second = second != nullptr;
  a.lanes = lanes;
  for (unsigned l = 0; l < kLanes; ++l) a.address[l] = at[l] | (second == nullptr ? 0 : uint64_t{second[l]} << 32);
  return ticket;
}

void lds_memory::arrive(const wave& w, const recorded_access& a) {
  for_ranges(a, [&](uint32_t at, unsigned) {
    shadow_.mark_arrived(at, a.bytes);
    if (w.group->settings->check.races) shadow_.stamp(at, a.bytes, lds_access::write, w.group->epoch, w.number);
  });
}

void lds_memory::restamp(const wave& w, const recorded_access& a, uint32_t epoch) {
  // Data on its way is nobody's to touch until it arrives, and is stamped then.
  if (a.kind == recorded_kind::lds_arrival || !w.group->settings->check.races) return;
  for_ranges(a, [&](uint32_t at, unsigned) { shadow_.stamp(at, a.bytes, access_of(a.kind), epoch, w.number); });
}

}  // namespace adahop::hip::sim
