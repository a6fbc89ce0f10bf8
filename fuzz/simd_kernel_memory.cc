// Pages between fences, mapped once each and handed out again.
#include "fuzz/simd_kernel_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fuzz/poison.h"

namespace adahop::fuzz {
namespace {

constexpr size_t kFence = size_t{1} << 16;  // a multiple of every page size
constexpr std::ptrdiff_t kMarks = 256;

size_t bytes_between(const uint8_t* begin, const uint8_t* end) { return static_cast<size_t>(end - begin); }

[[noreturn]] void give_up(const char* what) {
  std::perror(what);
  std::abort();
}

std::vector<uint8_t*>& unused_pages() {
  static std::vector<uint8_t*> pages;
  return pages;
}

// kMost bytes between two fences, all of them poisoned.
uint8_t* take_pages() {
  std::vector<uint8_t*>& unused = unused_pages();
  if (!unused.empty()) {
    uint8_t* const pages = unused.back();
    unused.pop_back();
    return pages;
  }
  void* const memory =
      mmap(nullptr, guarded_operand::kMost + 2 * kFence, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) give_up("mmap");
  uint8_t* const pages = static_cast<uint8_t*>(memory) + kFence;
  if (mprotect(pages, guarded_operand::kMost, PROT_READ | PROT_WRITE) != 0) give_up("mprotect");
  ASAN_POISON_MEMORY_REGION(pages, guarded_operand::kMost);
  return pages;
}

}  // namespace

operand_place read_place(input& in, size_t alignment) {
  const uint8_t byte = in.byte();
  return {(byte & 1u) != 0, byte / 2 % 67 * alignment};
}

guarded_operand::guarded_operand(size_t size, const operand_place& place) : pages_(take_pages()), size_(size) {
  if (size + place.gap > kMost) {
    std::fprintf(stderr, "an operand of %zu bytes: expected at most %zu\n", size + place.gap, kMost);
    std::abort();
  }
  data_ = place.at_front ? pages_ + place.gap : pages_ + kMost - place.gap - size;
  ASAN_UNPOISON_MEMORY_REGION(marks_begin(), bytes_between(marks_begin(), marks_end()));
  std::fill(marks_begin(), marks_end(), kMark);
  // Up to the granule of 8 bytes that the operand begins in: part of one can only be poisoned at its end.
  ASAN_POISON_MEMORY_REGION(marks_begin(), bytes_between(marks_begin(), data_));
  ASAN_POISON_MEMORY_REGION(data_ + size_, bytes_between(data_ + size_, marks_end()));
}

guarded_operand::~guarded_operand() {
  ASAN_POISON_MEMORY_REGION(marks_begin(), bytes_between(marks_begin(), marks_end()));
  unused_pages().push_back(pages_);
}

uint8_t* guarded_operand::marks_begin() const { return data_ - std::min(kMarks, data_ - pages_); }

uint8_t* guarded_operand::marks_end() const {
  uint8_t* const end = data_ + size_;
  return end + std::min(kMarks, pages_ + kMost - end);
}

bool guarded_operand::intact() const {
  ASAN_UNPOISON_MEMORY_REGION(marks_begin(), bytes_between(marks_begin(), marks_end()));
  const auto marked = [](uint8_t byte) { return byte == kMark; };
  return std::all_of(marks_begin(), data_, marked) && std::all_of(data_ + size_, marks_end(), marked);
}

}  // namespace adahop::fuzz
