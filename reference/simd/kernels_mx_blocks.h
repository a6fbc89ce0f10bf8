// Blocks of MX operands as the packing kernels of each instruction set see them; all without external linkage (kernels.h says
// why). Implements SPEC 3.2, 10.2, 10.3.
#pragma once
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kBlockCodeBytes = 16;
constexpr uint32_t kPlainScale = 127;  ///< in panels, of blocks whose scale does not matter
constexpr uint8_t kNanScale = 0xFF;

// Whether the block adds nothing whatever its scale: all codes are +0 or -0.
static inline __attribute__((always_inline)) bool is_zero_block(const mx_lines& x, int64_t line, int64_t block) {
  uint64_t codes[2];
  memcpy(codes, x.codes + line * x.codes_stride + block * kBlockCodeBytes, sizeof codes);
  return ((codes[0] | codes[1]) & 0x7777777777777777u) == 0;
}

}  // namespace
}  // namespace adahop::reference::simd
