// Guards, claims and device copies of a hostile call's memory.
#include "fuzz/hostile_memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "fuzz/poison.h"

namespace adahop::fuzz {
namespace {

constexpr size_t kGuardBytes = 64;

}  // namespace

uint8_t* hostile_memory::add(size_t bytes, size_t skew, bool host_only) {
  region& r = regions_.emplace_back();
  r.bytes.resize(bytes + skew + 3 * kGuardBytes);
  for (size_t i = 0; i < r.bytes.size(); ++i) r.bytes[i] = static_cast<uint8_t>(0xA5 + 31 * i);
  const size_t past = reinterpret_cast<uintptr_t>(r.bytes.data()) % kGuardBytes;
  r.begin = 2 * kGuardBytes - past + skew;
  r.size = bytes;
  r.host_only = host_only;
  r.uses.assign(r.bytes.size(), use::kept);
  return r.bytes.data() + r.begin;
}

hostile_memory::region* hostile_memory::region_of(const void* p) {
  const auto* at = static_cast<const uint8_t*>(p);
  for (region& r : regions_)
    if (at >= r.bytes.data() + r.begin && at <= r.bytes.data() + r.begin + r.size) return &r;
  return nullptr;
}

bool hostile_memory::holds(const void* p, __int128 bytes) const {
  if (bytes <= 0) return true;
  const region* r = p == nullptr ? nullptr : region_of(p);
  return r != nullptr && bytes <= r->bytes.data() + r->begin + r->size - static_cast<const uint8_t*>(p);
}

void hostile_memory::claim(const void* p, size_t bytes, bool compared) {
  region* r = region_of(p);
  if (r == nullptr || bytes == 0) return;
  const auto first = r->uses.begin() + (static_cast<const uint8_t*>(p) - r->bytes.data());
  std::fill_n(first, bytes, compared ? use::output : use::scratch);
}

void hostile_memory::remember() {
  for (region& r : regions_) r.before = r.bytes;
}

void hostile_memory::prepare(uint8_t garbage, bool keep_claimed) {
  for (region& r : regions_) {
    r.bytes = r.before;
    if (keep_claimed) continue;
    for (size_t i = 0; i < r.bytes.size(); ++i)
      if (r.uses[i] != use::kept) r.bytes[i] = static_cast<uint8_t>(garbage + i);
  }
}

std::vector<uint8_t> hostile_memory::outputs() const {
  std::vector<uint8_t> all;
  for (const region& r : regions_)
    for (size_t i = 0; i < r.bytes.size(); ++i)
      if (r.uses[i] == use::output) all.push_back(r.bytes[i]);
  return all;
}

std::string hostile_memory::violation() const {
  for (size_t n = 0; n < regions_.size(); ++n) {
    const region& r = regions_[n];
    for (size_t i = 0; i < r.bytes.size(); ++i)
      if (r.uses[i] == use::kept && r.bytes[i] != r.before[i])
        return fmt::format("region {} of {} bytes: byte {} was changed, which is no output", n, r.size,
                           static_cast<int64_t>(i) - static_cast<int64_t>(r.begin));
  }
  return {};
}

void hostile_memory::forbid_guards() {
  for (region& r : regions_) {
    ASAN_POISON_MEMORY_REGION(r.bytes.data(), r.begin);
    ASAN_POISON_MEMORY_REGION(r.bytes.data() + r.begin + r.size, r.bytes.size() - r.begin - r.size);
  }
}

void hostile_memory::permit_guards() {
  for (region& r : regions_) ASAN_UNPOISON_MEMORY_REGION(r.bytes.data(), r.bytes.size());
}

int32_t device_copy::upload() {
  for (hostile_memory::region& r : memory_.regions_) {
    void* on_device = nullptr;
    if (r.host_only) {
      regions_.push_back(on_device);
      continue;
    }
    if (const int32_t code = backend_.device_allocate(r.bytes.size(), &on_device); code != ADAHOP_OK) return code;
    regions_.push_back(on_device);
    const int32_t code = backend_.copy_to_device(on_device, r.bytes.data(), r.bytes.size(), nullptr);
    if (code != ADAHOP_OK) return code;
  }
  return ADAHOP_OK;
}

int32_t device_copy::download() {
  for (size_t n = 0; n < regions_.size(); ++n) {
    if (regions_[n] == nullptr) continue;
    std::vector<uint8_t>& host = memory_.regions_[n].bytes;
    const int32_t code = backend_.copy_to_host(host.data(), regions_[n], host.size(), nullptr);
    if (code != ADAHOP_OK) return code;
  }
  return ADAHOP_OK;
}

device_copy::~device_copy() {
  for (void* on_device : regions_) backend_.device_release(on_device);
}

const void* device_copy::moved(const void* p) const {
  const hostile_memory::region* found = p == nullptr ? nullptr : memory_.region_of(p);
  for (size_t n = 0; n < regions_.size(); ++n)
    if (&memory_.regions_[n] == found && regions_[n] != nullptr)
      return static_cast<const uint8_t*>(regions_[n]) + (static_cast<const uint8_t*>(p) - found->bytes.data());
  return p;
}

}  // namespace adahop::fuzz
