// A scaled FP4 matrix tile without matrix cores: the lanes of a 64-lane wave exchange their blocks and each computes its
// own results. Block dots in integers, SPEC 10.1; native accumulation by a chosen model, SPEC 10.24.
#pragma once
#include "adahop/formats/e2m1.h"
#include "arch/fragments_wave64.h"
#include "arch/portable/mfma_models.h"

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

/// One lane's scaled block of A and of B.
struct split_blocks {
  block_fields a;
  block_fields b;
};

/// A tile of `Size` x `Size` products over K = 32 * 64 / Size: lane l holds row l % Size of A and of B, K block
/// l / Size; result r of lane l is element (row_of(l, r), l % Size).
template <class Fragments, uint32_t Size, class RowOf>
struct portable_mma : Fragments {
  static constexpr uint32_t kGroups = 64 / Size;

  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[Fragments::kResults]) {
    static_assert(kGroups * Size == kWave, "a matrix tile is 64 lanes wide");
    doubled_blocks mine;
    double_block(a, mine.a);
    double_block(b, mine.b);
    const uint32_t self = lane();
    wave_op(mine, [&](auto get) {
      for (uint32_t r = 0; r < Fragments::kResults; ++r) {
        int32_t dot_x4 = 0;  // |dot_x4| <= 4608 a block
        for (uint32_t group = 0; group < kGroups; ++group) {
          const doubled_blocks& left = get(group * Size + RowOf{}(self, r));
          const doubled_blocks& right = get(group * Size + self % Size);
          for (int k = 0; k < 32; ++k) dot_x4 += int32_t{left.a[k]} * int32_t{right.b[k]};
        }
        out[r] = 0.25f * static_cast<float>(dot_x4);
      }
    });
  }

  ADAHOP_DEVICE_FN static void accumulate(const scaled_block& a, const scaled_block& b, const mfma_model& model,
                                          float (&acc)[Fragments::kResults]) {
    static_assert(kGroups * Size == kWave, "a matrix tile is 64 lanes wide");
    split_blocks mine;
    split_block(a, mine.a);
    split_block(b, mine.b);
    const uint32_t self = lane();
    wave_op(mine, [&](auto get) {
      for (uint32_t r = 0; r < Fragments::kResults; ++r) {
        block_pair pairs[kGroups];
        for (uint32_t group = 0; group < kGroups; ++group)
          pairs[group] = {&get(group * Size + RowOf{}(self, r)).a, &get(group * Size + self % Size).b};
        acc[r] = combine(model, acc[r], pairs, kGroups);
      }
    });
  }
};

struct row_of_16 {
  ADAHOP_DEVICE_FN uint32_t operator()(uint32_t l, uint32_t r) const { return (l >> 4 << 2) + r; }
};
struct row_of_32 {
  ADAHOP_DEVICE_FN uint32_t operator()(uint32_t l, uint32_t r) const { return (r >> 2 << 3) + (l >> 5 << 2) + (r & 3); }
};

struct mma_16x16x128 : portable_mma<fragments_16x16x128, 16, row_of_16> {};
struct mma_32x32x64 : portable_mma<fragments_32x32x64, 32, row_of_32> {};

}  // namespace adahop::hip
