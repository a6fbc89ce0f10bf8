// Scale bytes of sixteen lines of an MX operand at a time, for the panels of the products. Implements SPEC 10.2, 10.3.
#pragma once
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"
#include "reference/simd/kernels_mx_blocks.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kScaleGroup = 4;  // blocks whose bytes one word holds

struct scale_extremes {
  __m512i least = _mm512_set1_epi32(kPlainScale);
  __m512i greatest = _mm512_set1_epi32(kPlainScale);

  scale_range range() const { return {_mm512_reduce_min_epi32(least), _mm512_reduce_max_epi32(greatest)}; }
};

// Word i holds the bytes of blocks [block, block + n) of line first + i, 127 for absent lines.
static inline __attribute__((always_inline)) __m512i load_scale_words(const mx_lines& x, int64_t first, int64_t block,
                                                                      int64_t n) {
  alignas(64) uint32_t words[16];
  for (int64_t i = 0; i < 16; ++i) {
    uint32_t word = kPlainScale * 0x01010101u;
    if (first + i < x.count) {
      const uint8_t* const bytes = x.scales + (first + i) * x.scales_stride + block;
      if (n == kScaleGroup)
        memcpy(&word, bytes, sizeof word);
      else
        for (int64_t t = 0; t < n; ++t) memcpy(reinterpret_cast<uint8_t*>(&word) + t, bytes + t, 1);
    }
    words[i] = word;
  }
  return _mm512_load_si512(words);
}

// NaN bytes are noted and give way to 127, so do those of zero blocks: S = 0 leaves the accumulator as it is under any
// scale. What remains far from 127 is what the tile has to be chosen by.
static __attribute__((noinline)) __m512i amend_scales(const mx_lines& x, int64_t first, int64_t block, __m512i bytes,
                                                      uint32_t lanes, uint32_t* nan) {
  alignas(64) uint32_t amended[16];
  _mm512_store_si512(amended, bytes);
  for (; lanes != 0; lanes &= lanes - 1) {
    const int i = __builtin_ctz(lanes);
    if (amended[i] == kNanScale) nan[first + i] = 0x7FC00000u;
    if (amended[i] == kNanScale || is_zero_block(x, first + i, block)) amended[i] = kPlainScale;
  }
  return _mm512_load_si512(amended);
}

// The bytes of block group + t of lines first .. first + 15 from the words of the group.
static inline __attribute__((always_inline)) __m512i scale_bytes(const mx_lines& x, int64_t first, int64_t group,
                                                                 int64_t t, __m512i words, uint32_t* nan,
                                                                 scale_extremes& seen) {
  const __m512i shift = _mm512_set1_epi32(static_cast<int32_t>(8 * t));
  __m512i bytes = _mm512_and_si512(_mm512_srlv_epi32(words, shift), _mm512_set1_epi32(0xFF));
  // Two bytes in [54, 180] always suit gemm_mx_tile: their sums lie in [108, 360].
  const __mmask16 far = _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(bytes, _mm512_set1_epi32(54)), _mm512_set1_epi32(126));
  if (far != 0) bytes = amend_scales(x, first, group + t, bytes, far, nan);
  seen.least = _mm512_min_epi32(seen.least, bytes);
  seen.greatest = _mm512_max_epi32(seen.greatest, bytes);
  return bytes;
}

}  // namespace
}  // namespace adahop::reference::simd
