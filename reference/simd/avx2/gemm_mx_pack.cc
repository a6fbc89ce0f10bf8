// Panels of the MX product from packed codes: nibbles to bytes, eight lines at a time. Implements SPEC 3.2, 10.1-10.3.
#include <string.h>

#include "reference/simd/avx2/gemm_lanes.h"
#include "reference/simd/avx2/transpose_tile.h"
#include "reference/simd/kernels.h"
#include "reference/simd/kernels_mx_blocks.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kGroup = 8;

__m256i signed_values() {
  return _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12));
}

// One block of lines first .. first + 7: steps[s] gets, of each line, the four values of elements 4s .. 4s + 3 from
// `table`.
static inline __attribute__((always_inline)) void unpack_block(const mx_lines& x, int64_t first, int64_t block,
                                                               __m256i table, __m256i (&steps)[8]) {
  for (int64_t i = 0; i < kGroup; ++i) {
    __m128i codes = _mm_setzero_si128();
    if (first + i < x.count)
      codes = _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(x.codes + (first + i) * x.codes_stride + block * kBlockCodeBytes));
    const __m128i low = _mm_and_si128(codes, _mm_set1_epi8(15));
    const __m128i high = _mm_and_si128(_mm_srli_epi16(codes, 4), _mm_set1_epi8(15));
    const __m256i in_order = _mm256_set_m128i(_mm_unpackhi_epi8(low, high), _mm_unpacklo_epi8(low, high));
    steps[i] = _mm256_shuffle_epi8(table, in_order);
  }
  transpose_tile(steps);
}

struct scale_extremes {
  uint32_t least = kPlainScale, greatest = kPlainScale;
};

// The scale bytes of one block of lines first .. first + 7, 127 for absent lines. NaN bytes are noted and give way to
// 127, so do those of zero blocks far from it: S = 0 leaves the accumulator as it is under any scale.
static inline __attribute__((always_inline)) __m256i scale_bytes(const mx_lines& x, int64_t first, int64_t block,
                                                                 uint32_t* nan, scale_extremes& seen) {
  alignas(32) uint32_t bytes[kGroup];
  for (int64_t i = 0; i < kGroup; ++i) {
    uint32_t byte = kPlainScale;
    if (first + i < x.count) {
      byte = x.scales[(first + i) * x.scales_stride + block];
      // Two bytes in [54, 180] always suit gemm_mx_tile: their sums lie in [108, 360].
      if (byte - 54 > 126) {
        if (byte == kNanScale) nan[first + i] = 0x7FC00000u;
        if (byte == kNanScale || is_zero_block(x, first + i, block)) byte = kPlainScale;
      }
    }
    bytes[i] = byte;
    seen.least = byte < seen.least ? byte : seen.least;
    seen.greatest = byte > seen.greatest ? byte : seen.greatest;
  }
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(bytes));
}

// Adds up the four signed bytes of each word.
static inline __attribute__((always_inline)) __m256i word_sums(__m256i bytes) {
  return _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes), _mm256_set1_epi16(1));
}

static inline __attribute__((always_inline)) void store(void* p, __m256i v) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), v);
}

}  // namespace

scale_range gemm_pack_mx_rows__avx2(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  const __m256i table = signed_values(), present = first_lanes(kMxTileRows);
  memset(nan, 0, kMxTileRows * sizeof(uint32_t));
  scale_extremes seen;
  for (int64_t block = 0; block < x.blocks; ++block, panel += kMxRowsBlockBytes) {
    __m256i steps[8], sum = _mm256_setzero_si256();
    unpack_block(x, 0, block, table, steps);
    for (int s = 0; s < 8; ++s) {
      _mm256_maskstore_epi32(reinterpret_cast<int*>(panel + s * 4 * kMxTileRows), present, steps[s]);
      sum = _mm256_add_epi32(sum, word_sums(steps[s]));
    }
    const __m256i scale = _mm256_slli_epi32(scale_bytes(x, 0, block, nan, seen), 23);
    alignas(32) uint32_t plain[kGroup], biased[kGroup];
    store(plain, scale);
    store(biased, _mm256_sub_epi32(scale, _mm256_mullo_epi32(sum, _mm256_set1_epi32(12))));
    for (int64_t r = 0; r < kMxTileRows; ++r) {
      memcpy(panel + 32 * kMxTileRows + 8 * r, &biased[r], 4);
      memcpy(panel + 32 * kMxTileRows + 8 * r + 4, &plain[r], 4);
    }
  }
  return {static_cast<int32_t>(seen.least), static_cast<int32_t>(seen.greatest)};
}

scale_range gemm_pack_mx_columns__avx2(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  const __m256i table = _mm256_add_epi8(signed_values(), _mm256_set1_epi8(12));
  memset(nan, 0, kMxTileColumns * sizeof(uint32_t));
  scale_extremes seen;
  for (int64_t block = 0; block < x.blocks; ++block, panel += kMxColumnsBlockBytes)
    for (int64_t first = 0; first < kMxTileColumns; first += kGroup) {
      __m256i steps[8];
      unpack_block(x, first, block, table, steps);
      for (int s = 0; s < 8; ++s) store(panel + (s * kMxTileColumns + first) * 4, steps[s]);
      const __m256i bytes = scale_bytes(x, first, block, nan, seen);
      const __m256i exponents = _mm256_slli_epi32(_mm256_sub_epi32(bytes, _mm256_set1_epi32(256)), 23);
      store(panel + 32 * kMxTileColumns + 4 * first, _mm256_add_epi32(exponents, _mm256_set1_epi32(kMxMagic)));
    }
  return {static_cast<int32_t>(seen.least), static_cast<int32_t>(seen.greatest)};
}

}  // namespace adahop::reference::simd
