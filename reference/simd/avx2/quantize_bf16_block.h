// BF16 blocks to MXFP4 under RNE: the scale bytes of eight blocks, and the codes of one. Implements SPEC 5.1-5.13 for
// AVX2.
//
// The bits of a BF16 magnitude, in 16-bit lanes, are already a ladder of 128 steps to an octave, and a rung is 32 of
// them. Midpoints have mantissas 0, 32, 64 or 96 and tie down at 0 and 32, up at 64 and 96: one step less where bit 6
// is clear decides every tie. Below 2^-126, where values are subnormal, the steps are not those of octaves: as long as
// scale / 4 is at least that, all of them become 0 just the same; for smaller scales a block goes by way of FP32.
#pragma once
#include "reference/simd/avx2/quantize_f32_block.h"

namespace adahop::reference::simd {
namespace {

constexpr int kLeastByte = 3;  // the scale byte of which a quarter is a normal number, 2^-126

[[gnu::always_inline]] inline __m256i load_words(const uint16_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}
[[gnu::always_inline]] inline __m256i magnitude_of(__m256i v) {
  return _mm256_and_si256(v, _mm256_set1_epi16(0x7FFF));
}

[[gnu::always_inline]] inline __m256i largest_of_lanes(const uint16_t* x) {
  return _mm256_max_epi16(magnitude_of(load_words(x)), magnitude_of(load_words(x + 16)));
}

/// Lane i: the amax of block i of eight, as FP32 bits.
[[gnu::always_inline]] inline __m256i amax_of_8(const uint16_t* x) {
  __m256i pairs[4], fours[2];
  for (int i = 0; i < 4; ++i) {  // words by turns of blocks 2 i and 2 i + 1
    const __m256i a = largest_of_lanes(x + kBlock * 2 * i), b = largest_of_lanes(x + kBlock * (2 * i + 1));
    pairs[i] = _mm256_max_epi16(_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
  }
  for (int i = 0; i < 2; ++i)  // of blocks 4 i to 4 i + 3
    fours[i] = _mm256_max_epi16(_mm256_unpacklo_epi32(pairs[2 * i], pairs[2 * i + 1]),
                                _mm256_unpackhi_epi32(pairs[2 * i], pairs[2 * i + 1]));
  const __m256i all =
      _mm256_max_epi16(_mm256_unpacklo_epi64(fours[0], fours[1]), _mm256_unpackhi_epi64(fours[0], fours[1]));
  const __m128i amax = _mm_max_epi16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  return _mm256_slli_epi32(_mm256_cvtepu16_epi32(amax), 16);
}

/// The codes of a block as words of two, its 8-byte groups of eight elements in the order 0 2 | 1 3; `base` is the bits
/// of scale / 2 plus 1.
[[gnu::always_inline]] inline __m256i encode_block(const uint16_t* x, __m256i base) {
  __m256i v[2], rungs[2];
  for (int i = 0; i < 2; ++i) {
    v[i] = load_words(x + 16 * i);
    const __m256i magnitude = magnitude_of(v[i]);
    const __m256i up = _mm256_and_si256(_mm256_srli_epi16(v[i], 6), _mm256_set1_epi16(1));
    rungs[i] = _mm256_srai_epi16(_mm256_sub_epi16(_mm256_add_epi16(magnitude, up), base), 5);
  }
  return code_pairs(_mm256_packs_epi16(rungs[0], rungs[1]), _mm256_packs_epi16(v[0], v[1]));
}

/// What quantize_run asks for, under RNE.
struct bf16_to_nearest {
  /// Of eight blocks as f32_to_nearest has it. Blocks of zeros are right under any scale.
  [[gnu::always_inline]] static uint32_t eight(const uint16_t* x, int64_t, __m256i amax, __m256i bytes,
                                               uint8_t* codes) {
    const __m256i least = _mm256_set1_epi32(kLeastByte);
    const __m256i half = _mm256_slli_epi32(_mm256_max_epi32(bytes, least), 7);
    const __m256i base = _mm256_sub_epi32(half, _mm256_set1_epi32(127));  // (byte - 1) * 128 + 1
    alignas(32) int32_t twice[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(twice), _mm256_or_si256(base, _mm256_slli_epi32(base, 16)));
    // Four bytes are the codes of eight elements: a 0 2, b 0 2 | a 1 3, b 1 3.
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    for (int i = 0; i < 8; i += 2) {
      const __m256i first = encode_block(x + kBlock * i, _mm256_set1_epi32(twice[i]));
      const __m256i second = encode_block(x + kBlock * (i + 1), _mm256_set1_epi32(twice[i + 1]));
      const __m256i both = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(first, second), order);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes + kCodeBytes * i), both);
    }
    return lanes_greater(least, bytes) & lanes_greater(amax, _mm256_setzero_si256());
  }

  /// One block by way of FP32.
  [[gnu::noinline]] static void again(const uint16_t* x, uint8_t byte, uint8_t* codes) {
    alignas(32) float values[kBlock];
    for (int i = 0; i < kBlock; i += 8) {
      const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i));
      _mm256_store_ps(values + i, _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(words), 16)));
    }
    const __m256i words = encode_block(values, _mm256_castsi256_ps(factors_of(_mm256_set1_epi32(byte))));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(codes), _mm256_castsi256_si128(join_groups(words, words)));
  }
};

/// Elements above 6 * scale of a finite block.
[[gnu::always_inline]] inline int64_t count_clipped(const uint16_t* x, uint8_t byte) {
  const __m256i six = _mm256_set1_epi16(static_cast<int16_t>(byte * 128 + 2 * 128 + 64));
  const __m256i above = _mm256_packs_epi16(_mm256_cmpgt_epi16(magnitude_of(load_words(x)), six),
                                           _mm256_cmpgt_epi16(magnitude_of(load_words(x + 16)), six));
  return __builtin_popcount(static_cast<unsigned>(_mm256_movemask_epi8(above)));
}

}  // namespace
}  // namespace adahop::reference::simd
