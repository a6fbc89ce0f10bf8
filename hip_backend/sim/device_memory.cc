// Allocations, their gaps and their bitmaps.
#include "sim/device_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "sim/shadow_global.h"

namespace adahop::hip::sim {
namespace {

constexpr size_t kAlignment = 256;
// Before and behind an allocation: an address that runs off one does not reach the next.
constexpr size_t kGap = size_t{64} << 10;
constexpr int kGarbage = 0xFF;
// More than a host that simulates has; also keeps sums of sizes from overflowing.
constexpr size_t kMaxBytes = size_t{1} << 39;

// Bits [begin, begin + count) of a word.
uint64_t bits(size_t begin, size_t count) {
  return (count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << begin;
}

size_t offset_of(const allocation& a, const void* memory) { return reinterpret_cast<uintptr_t>(memory) - a.begin(); }

std::unique_ptr<uint64_t[], void (*)(void*)> zeros(size_t count) {
  // calloc gives untouched pages, which cost nothing until used.
  auto* memory = static_cast<uint64_t*>(std::calloc(count == 0 ? 1 : count, sizeof(uint64_t)));
  if (memory == nullptr) throw std::bad_alloc();
  return {memory, std::free};
}

}  // namespace

void byte_bitmap::set(size_t begin, size_t count) {
  while (count != 0) {
    const size_t at = begin % 64, n = std::min(count, 64 - at);
    words_[begin / 64] |= bits(at, n);
    begin += n;
    count -= n;
  }
}

size_t byte_bitmap::first_unset(size_t begin, size_t count) const {
  while (count != 0) {
    const size_t at = begin % 64, n = std::min(count, 64 - at);
    const uint64_t missing = ~words_[begin / 64] & bits(at, n);
    if (missing != 0) return begin - at + static_cast<size_t>(std::countr_zero(missing));
    begin += n;
    count -= n;
  }
  return begin;
}

allocation::allocation(size_t bytes, uint32_t number)
    : written(bytes), bytes_(bytes), number_(number), locks_(new std::atomic<uint8_t>[bytes / kStripe + 1]()) {
  const size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  memory_ = static_cast<std::byte*>(std::aligned_alloc(kAlignment, rounded + 2 * kGap));
  if (memory_ == nullptr) throw std::bad_alloc();
  data_ = memory_ + kGap;
  std::memset(data_, kGarbage, bytes);
}

allocation::~allocation() { std::free(memory_); }

access_stamps& allocation::stamps() {
  if (stamps_.write == nullptr) stamps_ = {zeros(bytes_), zeros(bytes_), zeros(bytes_)};
  return stamps_;
}

void* device_memory::allocate(size_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  try {
    const std::lock_guard hold(mutex_);
    auto made = std::make_shared<allocation>(bytes, next_number_);
    ++next_number_;
    void* const data = made->data();
    allocations_.emplace(made->begin(), std::move(made));
    return data;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool device_memory::release(void* memory) {
  const std::lock_guard hold(mutex_);
  return allocations_.erase(reinterpret_cast<uintptr_t>(memory)) != 0;
}

result<std::shared_ptr<allocation>> device_memory::find(const void* memory, size_t bytes, const char* what) const {
  const auto address = reinterpret_cast<uintptr_t>(memory);
  {
    const std::lock_guard hold(mutex_);
    auto next = allocations_.upper_bound(address);
    if (next != allocations_.begin() && std::prev(next)->second->holds(address, bytes)) return std::prev(next)->second;
  }
  return invalid_argument(
      fmt::format("{}: {} bytes at {}, expected memory of one allocation", what, bytes, describe(address)));
}

status device_memory::copy_in(void* target, const void* source, size_t bytes) {
  if (bytes == 0) return {};
  auto to = find(target, bytes, "copy to the device");
  if (!to.ok()) return to.why();
  std::memcpy(target, source, bytes);
  to.value()->mark_written(offset_of(*to.value(), target), bytes);
  return {};
}

status device_memory::copy_out(void* target, const void* source, size_t bytes) const {
  if (bytes == 0) return {};
  auto from = find(source, bytes, "copy from the device");
  if (!from.ok()) return from.why();
  std::memcpy(target, source, bytes);
  return {};
}

status device_memory::fill_zero(void* target, size_t bytes) {
  if (bytes == 0) return {};
  auto to = find(target, bytes, "fill of device memory");
  if (!to.ok()) return to.why();
  std::memset(target, 0, bytes);
  to.value()->mark_written(offset_of(*to.value(), target), bytes);
  return {};
}

allocation_list device_memory::list() const {
  const std::lock_guard hold(mutex_);
  allocation_list all;
  all.reserve(allocations_.size());
  for (const auto& [begin, a] : allocations_) all.push_back(a);
  return all;
}

std::string device_memory::describe(uint64_t address) const {
  const std::lock_guard hold(mutex_);
  for (const auto& [begin, a] : allocations_) {
    const auto offset = static_cast<int64_t>(address - begin);
    if (offset >= -static_cast<int64_t>(kGap) && offset < static_cast<int64_t>(a->bytes() + kGap))
      return fmt::format("byte offset {:+} of allocation {} ({} bytes)", offset, a->number(), a->bytes());
  }
  return fmt::format("{:#x}, in no allocation", address);
}

uint32_t device_memory::take_serials(uint32_t count) {
  const std::lock_guard hold(mutex_);
  if (count > kMaxSerial - next_serial_) {
    for (const auto& [begin, a] : allocations_) a->clear_stamps();
    next_serial_ = 1;
  }
  const uint32_t first = next_serial_;
  next_serial_ += count;
  return first;
}

}  // namespace adahop::hip::sim
