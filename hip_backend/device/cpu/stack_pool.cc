// One mapping holds all stacks of a worker: guard, stack, guard, stack ...
#include "device/cpu/stack_pool.h"

#include <sys/mman.h>

namespace adahop::hip::cpu {
namespace {

constexpr size_t kPage = 4096;
// AddressSanitizer surrounds every local with red zones.
#if defined(__SANITIZE_ADDRESS__)
constexpr size_t kStackPages = 64;
#else
constexpr size_t kStackPages = 16;
#endif
// Larger than a page, so that a big frame cannot jump over it; odd, so that equal depths of neighbouring stacks do
// not fall into the same cache sets.
constexpr size_t kGuardPages = 17;
constexpr size_t kStride = (kStackPages + kGuardPages) * kPage;

}  // namespace

stack_pool::~stack_pool() {
  if (base_ != nullptr) munmap(base_, count_ * kStride);
}

bool stack_pool::reserve(uint32_t count) {
  if (count <= count_) return true;
  void* mapping = mmap(nullptr, count * kStride, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return false;
  char* base = static_cast<char*>(mapping);
  for (uint32_t i = 0; i < count; i++) {
    if (mprotect(base + i * kStride + kGuardPages * kPage, kStackPages * kPage, PROT_READ | PROT_WRITE) != 0) {
      munmap(base, count * kStride);
      return false;
    }
  }
  if (base_ != nullptr) munmap(base_, count_ * kStride);
  base_ = base;
  count_ = count;
  return true;
}

void* stack_pool::bottom(uint32_t index) const { return base_ + index * kStride + kGuardPages * kPage; }

size_t stack_pool::stack_bytes() { return kStackPages * kPage; }

bool stack_pool::in_guard(const void* address, uint32_t& index) const {
  const char* a = static_cast<const char*>(address);
  if (base_ == nullptr || a < base_ || a >= base_ + count_ * kStride) return false;
  const auto offset = static_cast<size_t>(a - base_);
  index = static_cast<uint32_t>(offset / kStride);
  return offset % kStride < kGuardPages * kPage;
}

}  // namespace adahop::hip::cpu
