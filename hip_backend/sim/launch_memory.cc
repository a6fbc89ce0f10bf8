// Accesses of global memory. gfx950 needs no alignment of vector loads and stores in the unaligned mode that the Linux
// driver sets, and the C ABI allows codes at any byte; atomics are aligned to their size, scalar loads to dwords.
#include "sim/launch_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "sim/fault.h"
#include "sim/lane_collision.h"
#include "sim/lane_memory.h"
#include "sim/output_footprint.h"
#include "sim/trace_wave.h"

namespace adahop::hip::sim {
namespace {

const char* verb(global_access a) {
  return a == global_access::read ? "reads" : a == global_access::write ? "writes" : "updates";
}
const char* participle(global_access a) {
  return a == global_access::read ? "read" : a == global_access::write ? "written" : "updated";
}

constexpr unsigned kMaxDwords = 4;  ///< of a vector access

// The lock of a stripe, held while its bitmap and stamps are looked at.
class stripe_lock {
 public:
  explicit stripe_lock(std::atomic<uint8_t>& flag) : flag_(flag) {
    while (flag_.exchange(1, std::memory_order_acquire) != 0) std::this_thread::yield();
  }
  stripe_lock(const stripe_lock&) = delete;
  stripe_lock& operator=(const stripe_lock&) = delete;
  ~stripe_lock() { flag_.store(0, std::memory_order_release); }

 private:
  std::atomic<uint8_t>& flag_;
};

}  // namespace

launch_memory::launch_memory(device_memory& memory, std::span<const std::byte> kernarg, const output_footprint* outputs,
                             uint32_t groups, const options& settings)
    : memory_(memory), allocations_(memory.list()), settings_(settings) {
  const checks& check = settings.check;
  has_footprint_ = outputs != nullptr && check.outputs;
  if (check.races) first_serial_ = memory.take_serials(groups);
  for (const auto& a : allocations_) {
    region r{a->begin(), a->begin() + a->bytes(), a.get(), check.races, nullptr};
    if (has_footprint_) {
      r.outputs = outputs->find(a->number());
      // What the kernel may not write, and is caught writing, no two accesses can race for.
      r.tracked = check.races && r.outputs != nullptr;
    }
    if (r.tracked) a->stamps();
    regions_.push_back(r);
  }
  const auto begin = reinterpret_cast<uintptr_t>(kernarg.data());
  regions_.push_back({begin, begin + kernarg.size(), nullptr, false, nullptr});
  std::sort(regions_.begin(), regions_.end(), [](const region& a, const region& b) { return a.begin < b.begin; });
}

const launch_memory::region* launch_memory::find(uint64_t at, size_t bytes) const {
  auto next = std::upper_bound(regions_.begin(), regions_.end(), at,
                               [](uint64_t address, const region& r) { return address < r.begin; });
  if (next == regions_.begin() || !std::prev(next)->holds(at, bytes)) return nullptr;
  return &*std::prev(next);
}

std::string launch_memory::place(uint64_t at, size_t bytes) const {
  for (const region& r : regions_)
    if (r.memory == nullptr && at + bytes >= r.begin && at < r.end + sizeof(uint64_t) * kLanes)
      return fmt::format("byte offset {:+} of the kernel's arguments ({} bytes)", static_cast<int64_t>(at - r.begin),
                         r.end - r.begin);
  return memory_.describe(at);
}

global_accessor launch_memory::accessor(const wave& w, const instruction& i) const {
  if (w.group->epoch > kMaxEpoch)
    fail(w, i, "too many barriers", fmt::format("races are tracked over at most {} in a workgroup", kMaxEpoch));
  return {first_serial_, first_serial_ + w.group->linear, w.group->epoch, w.number};
}

void launch_memory::locate(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
                           global_access access, const region** out) const {
  const region* last = nullptr;
  for_lanes(lanes, [&](unsigned l) {
    if (last == nullptr || !last->holds(at[l], bytes)) last = find(at[l], bytes);
    if (last == nullptr || (last->memory == nullptr && access != global_access::read))
      fail(w, i, "access outside device memory",
           fmt::format("lane {} {} {} bytes at {}", l, verb(access), bytes, place(at[l], bytes)), static_cast<int>(l));
    out[l] = last;
  });
}

void launch_memory::check_bytes(const wave& w, const instruction& i, const region& r, global_access access, size_t offset,
                                size_t count, int lane, unsigned each) {
  const checks& check = settings_.check;
  allocation& memory = *r.memory;
  const auto who = [&](size_t byte) { return lane < 0 ? -1 : lane + static_cast<int>((byte - offset) / each); };
  const auto stop = [&](size_t byte, const char* kind, const std::string& why) {
    const std::string lane_text = lane < 0 ? "" : fmt::format(" lane {}", who(byte));
    fail(w, i, kind,
         fmt::format("wave {}{} {} {} bytes; byte offset {} of allocation {} ({} bytes) {}", w.number, lane_text,
                     verb(access), each, byte, memory.number(), memory.bytes(), why),
         who(byte));
  };
  if (access != global_access::read && has_footprint_) {
    const size_t outside = r.outputs == nullptr ? offset : r.outputs->first_unset(offset, count);
    if (outside != offset + count)
      stop(outside, "store outside the outputs", "is not what the kernel's arguments let it write");
  }
  if (!check.uninitialized && !r.tracked) return;
  for (size_t at = offset; at != offset + count;) {
    const size_t end = std::min((at / kStripe + 1) * kStripe, offset + count);
    std::optional<global_conflict> conflict;
    size_t unwritten = end;
    {
      const stripe_lock hold(memory.lock(at));
      if (check.uninitialized && access != global_access::write) unwritten = memory.written.first_unset(at, end - at);
      if (unwritten == end && r.tracked)
        conflict = access_bytes(memory.stamps(), accessor(w, i), access, at, end - at,
                                atomics_.load(std::memory_order_relaxed));
      const bool refused = unwritten != end || conflict;
      if (check.uninitialized && access != global_access::read && !refused) memory.mark_written(at, end - at);
    }
    if (unwritten != end) stop(unwritten, "read of global memory never written", "has no value");
    if (conflict) {
      const std::string side =
          !conflict->group                           ? std::string("another workgroup of the launch")
          : *conflict->group != w.group->linear      ? fmt::format("workgroup number {} of the launch", *conflict->group)
                                                     : fmt::format("wave {} with no barrier between", *conflict->wave);
      stop(conflict->offset, "race on global memory", fmt::format("was {} by {}", participle(conflict->access), side));
    }
    at = end;
  }
}

void launch_memory::check_lanes(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes,
                                unsigned bytes, const region* const* where, global_access access) {
  const checks& check = settings_.check;
  if (!check.uninitialized && !check.races && !(has_footprint_ && access != global_access::read)) return;
  // Runs of lanes whose bytes follow one another are checked at once.
  const region* in = nullptr;
  uint64_t begin = 0, count = 0;
  unsigned first = 0, last = 0;
  const auto flush = [&] {
    if (count != 0 && in->memory != nullptr)
      check_bytes(w, i, *in, access, begin - in->begin, count, static_cast<int>(first), bytes);
  };
  for_lanes(lanes, [&](unsigned l) {
    if (count != 0 && l == last + 1 && at[l] == begin + count && where[l] == in) {
      count += bytes;
    } else {
      flush();
      in = where[l];
      begin = at[l];
      count = bytes;
      first = l;
    }
    last = l;
  });
  flush();
}

void launch_memory::load(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
                         lane_row* out) {
  const region* where[kLanes];
  locate(w, i, at, lanes, bytes, global_access::read, where);
  check_lanes(w, i, at, lanes, bytes, where, global_access::read);
  with_size(bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned l) { read_lane<Bytes>(reinterpret_cast<const std::byte*>(at[l]), l, out); });
  });
  if (w.trace == nullptr) return;
  const uint32_t* rows[kMaxDwords];
  for (unsigned d = 0; d < (bytes + 3) / 4; ++d) rows[d] = out[d];
  show(w, "global load", at, lanes, bytes, rows);
}

void launch_memory::store(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes, unsigned bytes,
                          const uint32_t* const* in) {
  const region* where[kLanes];
  locate(w, i, at, lanes, bytes, global_access::write, where);
  check_lanes(w, i, at, lanes, bytes, where, global_access::write);
  with_size(bytes, [&]<unsigned Bytes>() {
    for_lanes(lanes, [&](unsigned l) { write_lane<Bytes>(reinterpret_cast<std::byte*>(at[l]), l, in); });
  });
  if (settings_.check.races) {
    const auto memory = [&](unsigned l) { return reinterpret_cast<const std::byte*>(at[l]); };
    if (const auto c = find_collision(at, lanes, bytes, in, memory))
      fail(w, i, kLaneRace, describe(*c, place(c->at, 1)), static_cast<int>(c->lost));
  }
  if (w.trace != nullptr) show(w, "global store", at, lanes, bytes, in);
}

void launch_memory::check_atomic(const wave& w, const instruction& i, const lane_addresses& at, uint64_t lanes,
                                 unsigned bytes) {
  const region* where[kLanes];
  // The lanes update the host's memory atomically, which takes alignment whatever is checked.
  for_lanes(lanes, [&](unsigned l) {
    if (at[l] % bytes != 0)
      fail(w, i, "misaligned atomic",
           fmt::format("lane {} updates {} bytes at {}, expected a multiple of {}", l, bytes, place(at[l], bytes), bytes),
           static_cast<int>(l));
  });
  locate(w, i, at, lanes, bytes, global_access::atomic, where);
  atomics_.store(true, std::memory_order_relaxed);
  check_lanes(w, i, at, lanes, bytes, where, global_access::atomic);
  if (w.trace != nullptr) show(w, "global atomic", at, lanes, bytes, nullptr);
}

void launch_memory::load_scalar(const wave& w, const instruction& i, uint64_t at, uint32_t* out, unsigned dwords) {
  const unsigned bytes = 4 * dwords;
  if (settings_.check.alignment && at % 4 != 0)
    fail(w, i, "misaligned scalar load", fmt::format("{} bytes at {}, expected a multiple of 4", bytes, place(at, bytes)));
  const region* r = find(at, bytes);
  if (r == nullptr)
    fail(w, i, "access outside device memory", fmt::format("the wave reads {} bytes at {}", bytes, place(at, bytes)));
  if (r->memory != nullptr) check_bytes(w, i, *r, global_access::read, at - r->begin, bytes, -1, bytes);
  std::memcpy(out, reinterpret_cast<const void*>(at), bytes);
  if (w.trace != nullptr) w.trace->access("scalar load", place(at, bytes), out, dwords);
}

void launch_memory::show(const wave& w, const char* what, const lane_addresses& at, uint64_t lanes, unsigned bytes,
                         const uint32_t* const* data) const {
  w.trace->access(what, lanes, bytes, [&](unsigned l) { return place(at[l], bytes); }, data);
}

void load_scalar(wave& w, const instruction& i, uint64_t address, uint32_t* out, unsigned dwords) {
  w.group->global->load_scalar(w, i, address, out, dwords);
}

}  // namespace adahop::hip::sim
