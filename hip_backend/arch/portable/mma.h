// Block dots of a tile without matrix cores: the lanes of a 64-lane wave exchange their blocks and each sums, in
// integers, the products that end in its own result elements. Implements SPEC 10.1.
#pragma once
#include "adahop/formats/e2m1.h"
#include "arch/fragments_wave64.h"

namespace adahop::hip {

/// One lane's block of A and of B as twice the element values.
struct doubled_blocks {
  int16_t a[32];
  int16_t b[32];
};

ADAHOP_DEVICE_FN void double_block(const fp4_block& block, int16_t (&out)[32]) {
  for (uint32_t i = 0; i < 32; ++i)
    out[i] = static_cast<int16_t>(value_x2(e2m1_of(block.words[i / 8] >> (4 * (i % 8)))));
}

/// A tile of `Size` x `Size` products over K = 32 * 64 / Size: lane l holds row l % Size of A and of B, K block l / Size;
/// result r of lane l is element (row_of(l, r), l % Size).
template <class Fragments, uint32_t Size, class RowOf>
ADAHOP_DEVICE_FN void multiply_portable(const fp4_block& a, const fp4_block& b, float (&out)[Fragments::kResults],
                                        RowOf row_of) {
  doubled_blocks mine;
  double_block(a, mine.a);
  double_block(b, mine.b);
  const uint32_t self = lane();
  wave_op(mine, [&](auto get) {
    for (uint32_t r = 0; r < Fragments::kResults; ++r) {
      int32_t dot_x4 = 0;  // |dot_x4| <= 4608 a block
      for (uint32_t group = 0; group < 64; group += Size) {
        const doubled_blocks& left = get(group + row_of(self, r));
        const doubled_blocks& right = get(group + self % Size);
        for (int k = 0; k < 32; ++k) dot_x4 += int32_t{left.a[k]} * int32_t{right.b[k]};
      }
      out[r] = 0.25f * static_cast<float>(dot_x4);
    }
  });
}

struct mma_16x16x128 : fragments_16x16x128 {
  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[kResults]) {
    multiply_portable<fragments_16x16x128, 16>(a, b, out, [](uint32_t l, uint32_t r) { return (l >> 4 << 2) + r; });
  }
};

struct mma_32x32x64 : fragments_32x32x64 {
  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[kResults]) {
    multiply_portable<fragments_32x32x64, 32>(
        a, b, out, [](uint32_t l, uint32_t r) { return (r >> 2 << 3) + (l >> 5 << 2) + (r & 3); });
  }
};

}  // namespace adahop::hip
