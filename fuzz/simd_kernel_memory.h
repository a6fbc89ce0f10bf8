// Memory for the operands of SIMD kernels: pages that nobody may touch on both sides, marked bytes next to the operand,
// and under AddressSanitizer poison everywhere else, so that a kernel that reads or writes too far ends or is noticed.
#pragma once
#include <cstddef>
#include <cstdint>

#include "fuzz/input.h"

namespace adahop::fuzz {

/// Where an operand lies: `gap` bytes behind the first byte of the pages, or before their last.
struct operand_place {
  bool at_front = false;
  size_t gap = 0;
};

/// A place that is a multiple of `alignment` bytes, a power of two, off the page.
operand_place read_place(input& in, size_t alignment);

/// `size` bytes at a place, at most kMost; they hold kMark, as do the bytes around them. The pages are kept for the
/// next one.
class guarded_operand {
 public:
  static constexpr size_t kMost = size_t{1} << 20;
  static constexpr uint8_t kMark = 0xA5;

  guarded_operand(size_t size, const operand_place& place);
  ~guarded_operand();
  guarded_operand(const guarded_operand&) = delete;
  guarded_operand& operator=(const guarded_operand&) = delete;

  uint8_t* data() const { return data_; }

  /// Whether the marked bytes around it are as they were.
  bool intact() const;

 private:
  /// The marked bytes: up to 256 on each side, as far as the pages reach.
  uint8_t* marks_begin() const;
  uint8_t* marks_end() const;

  uint8_t* pages_;
  uint8_t* data_;
  size_t size_;
};

}  // namespace adahop::fuzz
