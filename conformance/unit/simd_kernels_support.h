// What the tests of the SIMD kernels share: a checking function for each line of kernels.def, memory that shows what a
// kernel touches, and the comparison of outputs.
#pragma once
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "reference/output.h"
#include "reference/simd/isa.h"
#include "reference_support.h"
#include "repetitions.h"

namespace adahop::reference::simd {

/// check_NAME(kernel) holds a kernel to the scalar oracle. simd_kernels_table_test.cc calls it for each instruction
/// set, so that a new line of kernels.def without one does not link.
#define ADAHOP_SIMD_KERNEL(name, result, parameters) void check_##name(result(*kernel) parameters);
#include "reference/simd/kernels.def"
#undef ADAHOP_SIMD_KERNEL

/// The levels that are tested here: all but scalar that this CPU has.
inline std::vector<isa> tested_levels() {
  std::vector<isa> levels;
  for (const isa level : {isa::avx2, isa::avx512})
    if (kernels_of(level) != nullptr) levels.push_back(level);
  return levels;
}

/// `count` elements that end where memory that nobody may touch begins (or `behind` elements before it), so that
/// reading or writing past them ends the program; the bytes around them are marked, and intact() is whether they still
/// are.
template <class T>
class fenced {
 public:
  explicit fenced(int64_t count, int64_t behind = 0)
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))), count_(static_cast<size_t>(count)) {
    const size_t bytes = (count_ + static_cast<size_t>(behind)) * sizeof(T);
    room_ = (bytes + kFront + page_ - 1) / page_ * page_;
    void* const memory = mmap(nullptr, room_ + 2 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    base_ = static_cast<uint8_t*>(memory) + page_;
    if (mprotect(base_, room_, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    std::memset(base_, kMark, room_);
    data_ = reinterpret_cast<T*>(base_ + room_ - bytes);
  }
  /// A copy of these elements.
  explicit fenced(std::span<const T> elements, int64_t behind = 0)
      : fenced(static_cast<int64_t>(elements.size()), behind) {
    std::copy(elements.begin(), elements.end(), data_);
  }
  ~fenced() { munmap(base_ - page_, room_ + 2 * page_); }
  fenced(const fenced&) = delete;
  fenced& operator=(const fenced&) = delete;

  T* data() { return data_; }
  std::span<const T> elements() const { return {data_, count_}; }

  bool intact() const {
    const uint8_t* const first = reinterpret_cast<const uint8_t*>(data_);
    const auto marked = [](uint8_t byte) { return byte == kMark; };
    return std::all_of(static_cast<const uint8_t*>(base_), first, marked) &&
           std::all_of(first + count_ * sizeof(T), static_cast<const uint8_t*>(base_ + room_), marked);
  }

 private:
  static constexpr size_t kFront = 128;
  static constexpr uint8_t kMark = 0xA5;
  size_t page_, count_, room_ = 0;
  uint8_t* base_ = nullptr;
  T* data_ = nullptr;
};

/// The unsigned integer that holds a T.
template <class T>
using bits_type = std::conditional_t<
    sizeof(T) == 8, uint64_t,
    std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;

/// Empty, or where two outputs first differ, and the bits of both.
template <class T>
std::string difference(std::span<const T> got, std::span<const T> expected) {
  if (got.size() != expected.size()) return fmt::format("{} elements for {}", got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const auto g = __builtin_bit_cast(bits_type<T>, got[i]), e = __builtin_bit_cast(bits_type<T>, expected[i]);
    if (g != e) return fmt::format("element {}: got {:#x}, expected {:#x}", i, g, e);
  }
  return "";
}
template <class T>
std::string difference(const fenced<T>& got, const std::vector<T>& expected) {
  return difference(got.elements(), std::span<const T>(expected));
}

/// An FP32 as a kernel's element: itself, or its upper half, which is the BF16 next to it towards zero.
template <class Element>
Element element_of(float v) {
  if constexpr (sizeof(Element) == 2)
    return static_cast<uint16_t>(bits_of(v) >> 16);
  else
    return v;
}
inline float value_of(float v) { return v; }
inline float value_of(uint16_t v) { return decode_bf16({v}); }

/// The policy's defaults under a scale rule and a smallest scale byte.
inline policy policy_of(const scale_choice& how) {
  policy p = default_policy();
  p.scale_rule = how.rule;
  p.min_scale_byte = how.min_scale_byte;
  return p;
}

}  // namespace adahop::reference::simd
