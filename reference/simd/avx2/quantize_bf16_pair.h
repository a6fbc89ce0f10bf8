// Two blocks of BF16 values in registers to MXFP4 under RNE. Implements SPEC 5.1-5.13 for AVX2.
//
// The bits of a BF16 magnitude, in 16-bit lanes, are already a ladder of 128 steps to an octave, and a rung is 32 of them.
// Midpoints have mantissa bits 0, 32, 64 or 96; they tie down where the mantissa is 0 or 32 and up where it is 64 or 96,
// so one step less where bit 6 is clear decides every tie. The ladder bends where magnitudes are subnormal, that is below
// 2^-126: where scale / 4 is not below that, only what is far below a quarter of the scale stands wrong, and it is 0 anyhow.
#pragma once
#include "reference/simd/avx2/quantize_lanes.h"

namespace adahop::reference::simd {
namespace {

/// The magnitudes of 16 values each, and anything that has the signs of these values as its own. kSplit: the 8-byte groups of
/// four stand as 0 2 | 1 3, else in order.
template <bool kSplit>
struct bf16_block {
  __m256i magnitude[2], sign[2];

  /// The sum of what quantize_pair has counted of such blocks, at most 4 in a lane for each pair and below 2^15 in all.
  static int64_t sum_clipped(__m256i clipped) {
    alignas(32) int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), _mm256_madd_epi16(clipped, _mm256_set1_epi16(1)));
    int64_t sum = 0;
    for (const int32_t lane : lanes) sum += lane;
    return sum;
  }
};

constexpr int kStepsBelowSix = 3 * 128 + 64;  // of 6 above 0.5
constexpr int kLeastByte = 3;                 // of which a quarter is a normal number, 2^-126

/// Rungs of magnitudes, `base` being the bits of scale / 2 plus 1; counts those above 6 * scale.
[[gnu::always_inline]] inline __m256i rungs_of(const scale_rule& rule, const __m256i (&magnitude)[2], __m256i base,
                                               __m256i& clipped) {
  __m256i above_half[2];
  for (int i = 0; i < 2; ++i) {
    const __m256i up = _mm256_and_si256(_mm256_srli_epi16(magnitude[i], 6), _mm256_set1_epi16(1));
    above_half[i] = _mm256_sub_epi16(_mm256_add_epi16(magnitude[i], up), base);
  }
  if (rule.may_clip)  // 6 has bit 6, so that at and above it the difference is exact
    for (int i = 0; i < 2; ++i)
      clipped = _mm256_sub_epi16(clipped, _mm256_cmpgt_epi16(above_half[i], _mm256_set1_epi16(kStepsBelowSix)));
  return _mm256_packs_epi16(_mm256_srai_epi16(above_half[0], 5), _mm256_srai_epi16(above_half[1], 5));
}

/// 32 bytes of codes and 2 scale bytes. False, and nothing written or counted, if a NaN or Inf is among the values or a
/// scale byte is below kLeastByte.
template <bool kSplit>
[[gnu::always_inline]] inline bool quantize_pair(const scale_rule& rule, const bf16_block<kSplit>& first,
                                                 const bf16_block<kSplit>& second, uint8_t* codes, uint8_t* scales,
                                                 __m256i& clipped) {
  const auto &a = first.magnitude, &b = second.magnitude;
  const __m256i a_max = _mm256_max_epi16(a[0], a[1]), b_max = _mm256_max_epi16(b[0], b[1]);
  __m256i amax = _mm256_max_epi16(_mm256_permute2x128_si256(a_max, b_max, 0x20),
                                  _mm256_permute2x128_si256(a_max, b_max, 0x31));
  amax = _mm256_max_epi16(amax, _mm256_shuffle_epi32(amax, 0x4E));
  amax = _mm256_max_epi16(amax, _mm256_shuffle_epi32(amax, 0xB1));
  amax = _mm256_slli_epi32(_mm256_max_epi16(amax, _mm256_srli_epi32(amax, 16)), 16);  // as FP32 bits
  const __m256i bytes = scale_bytes(rule, amax);
  const __m256i unusual = _mm256_or_si256(_mm256_cmpgt_epi32(amax, _mm256_set1_epi32(0x7F7FFFFF)),
                                          _mm256_cmpgt_epi32(_mm256_set1_epi32(kLeastByte), bytes));
  if (_mm256_movemask_epi8(unusual) != 0) [[unlikely]]
    return false;
  store_scales(bytes, scales);
  // (byte - 1) * 128 + 1, in both halves of each 32 bits.
  const __m256i low = _mm256_sub_epi32(_mm256_slli_epi32(bytes, 7), _mm256_set1_epi32(127));
  const __m256i base = _mm256_or_si256(low, _mm256_slli_epi32(low, 16));
  const __m256i a_pairs =
      code_pairs(rungs_of(rule, a, first_half(base), clipped), _mm256_packs_epi16(first.sign[0], first.sign[1]));
  const __m256i b_pairs =
      code_pairs(rungs_of(rule, b, second_half(base), clipped), _mm256_packs_epi16(second.sign[0], second.sign[1]));
  __m256i both;
  if constexpr (kSplit) {
    both = codes_of_split_groups(a_pairs, b_pairs);
  } else {
    // Each four bytes are eight elements: a 0 2, b 0 2 | a 1 3, b 1 3.
    both = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(a_pairs, b_pairs), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(codes), both);
  return true;
}

/// As FP32, in order.
template <bool kSplit>
[[gnu::always_inline]] inline void store_values(const bf16_block<kSplit>& x, float* to) {
  for (int i = 0; i < 2; ++i) {
    const __m256i sign = _mm256_and_si256(x.sign[i], _mm256_set1_epi16(static_cast<short>(0x8000)));
    const __m256i bits = _mm256_or_si256(x.magnitude[i], sign);
    const __m256i v = kSplit ? _mm256_permute4x64_epi64(bits, 0xD8) : bits;
    const __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(v));
    const __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(v, 1));
    _mm256_storeu_ps(to + 16 * i, _mm256_castsi256_ps(_mm256_slli_epi32(low, 16)));
    _mm256_storeu_ps(to + 16 * i + 8, _mm256_castsi256_ps(_mm256_slli_epi32(high, 16)));
  }
}

}  // namespace
}  // namespace adahop::reference::simd
