// Allocation with guard pages and canaries. Part of SPEC 1.6.
#include "device/cpu/guarded_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace adahop::hip::cpu {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kAlignment = 256;
constexpr int kGarbage = 0xFF;
constexpr char kCanary = 0x5C;

size_t round_up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

// A page of canaries to compare with: no stretch beside an allocation is longer.
const std::array<char, kPage> kCanaries = [] {
  std::array<char, kPage> page;
  page.fill(kCanary);
  return page;
}();

// The first byte of [begin, end), at most a page, that is not the canary, or null.
const char* first_damage(const char* begin, const char* end) {
  if (std::memcmp(begin, kCanaries.data(), static_cast<size_t>(end - begin)) == 0) return nullptr;
  return std::find_if(begin, end, [](char c) { return c != kCanary; });
}

}  // namespace

guarded_memory::~guarded_memory() {
  for (auto& [address, a] : allocations_) munmap(a.mapping, a.mapping_bytes);
}

void* guarded_memory::allocate(size_t bytes) {
  if (bytes > SIZE_MAX / 2) return nullptr;
  const size_t used = round_up(bytes, kAlignment);
  const size_t inner = round_up(used == 0 ? 1 : used, kPage);
  const size_t total = inner + 2 * kPage;
  void* mapping = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return nullptr;
  char* base = static_cast<char*>(mapping);
  if (mprotect(base + kPage, inner, PROT_READ | PROT_WRITE) != 0) {
    munmap(base, total);
    return nullptr;
  }
  char* first = base + kPage;
  char* end = first + inner;
  char* begin = end - used;
  std::memset(first, kCanary, static_cast<size_t>(begin - first));
  std::memset(begin, kGarbage, bytes);
  std::memset(begin + bytes, kCanary, used - bytes);
  allocations_[reinterpret_cast<uintptr_t>(base)] = {base, total, begin, bytes};
  return begin;
}

bool guarded_memory::release(void* memory) {
  const allocation* a = find(memory);
  if (a == nullptr || a->begin != memory) return false;
  const uintptr_t key = reinterpret_cast<uintptr_t>(a->mapping);
  munmap(a->mapping, a->mapping_bytes);
  allocations_.erase(key);
  return true;
}

const guarded_memory::allocation* guarded_memory::find(const void* address) const {
  auto next = allocations_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (next == allocations_.begin()) return nullptr;
  const allocation& a = std::prev(next)->second;
  return static_cast<const char*>(address) < a.mapping + a.mapping_bytes ? &a : nullptr;
}

std::optional<std::string> guarded_memory::describe(const void* address) const {
  const allocation* a = find(address);
  if (a == nullptr) return std::nullopt;
  return fmt::format("byte offset {:+} of an allocation of {} bytes", static_cast<const char*>(address) - a->begin,
                     a->bytes);
}

bool guarded_memory::covers(const void* memory, size_t bytes) const {
  const allocation* a = find(memory);
  if (a == nullptr) return true;
  const auto offset = static_cast<const char*>(memory) - a->begin;
  return offset >= 0 && static_cast<size_t>(offset) <= a->bytes && bytes <= a->bytes - static_cast<size_t>(offset);
}

std::optional<std::string> guarded_memory::check() {
  for (auto& [address, a] : allocations_) {
    if (auto damage = check(a)) return damage;
  }
  return std::nullopt;
}

std::optional<std::string> guarded_memory::check(allocation& a) {
  char* first = a.mapping + kPage;
  char* end = a.mapping + a.mapping_bytes - kPage;
  const char* before = first_damage(first, a.begin);
  const char* behind = first_damage(a.begin + a.bytes, end);
  if (before == nullptr && behind == nullptr) return std::nullopt;
  std::memset(first, kCanary, static_cast<size_t>(a.begin - first));
  std::memset(a.begin + a.bytes, kCanary, static_cast<size_t>(end - a.begin) - a.bytes);
  if (behind != nullptr) {
    return fmt::format("wrote past the end of an allocation of {} bytes, at byte offset {:+}", a.bytes,
                       behind - a.begin);
  }
  return fmt::format("wrote before the start of an allocation of {} bytes, at byte offset {:+}", a.bytes,
                     before - a.begin);
}

}  // namespace adahop::hip::cpu
