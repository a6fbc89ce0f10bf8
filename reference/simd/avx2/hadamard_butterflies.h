// The Walsh-Hadamard butterflies of a group in registers, strides 1, 2, 4 and so on, each a + b and a - b rounded by
// itself, and the multiplication behind them; for AVX2. Implements SPEC 6.1-6.3, 6.10.
//
// Which register and lane an element stands in changes no bit: every butterfly has the operands that the scalar loop
// gives it. Within a register the partner is shuffled next to each lane, and one fma with 1 or -1 gives a * 1 + b or
// b * -1 + a, exact products, so the rounded sum and difference themselves, signs of zeros included.
#pragma once
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

/// Butterflies between lanes kDistance apart: 1, 2 or 4.
template <int kDistance>
[[gnu::always_inline]] inline __m256 butterflies_within(__m256 v) {
  __m256 partner, factor;
  if constexpr (kDistance == 1) {
    partner = _mm256_permute_ps(v, 0xB1);
    factor = _mm256_setr_ps(1, -1, 1, -1, 1, -1, 1, -1);
  } else if constexpr (kDistance == 2) {
    partner = _mm256_permute_ps(v, 0x4E);
    factor = _mm256_setr_ps(1, 1, -1, -1, 1, 1, -1, -1);
  } else {
    partner = _mm256_permute2f128_ps(v, v, 0x01);
    factor = _mm256_setr_ps(1, 1, 1, 1, -1, -1, -1, -1);
  }
  return _mm256_fmadd_ps(v, factor, partner);
}

/// Butterflies between registers, kFirst apart, then twice as far, until all of a group have met. v is whole groups.
template <int kFirst, int kGroup, int kRegisters>
[[gnu::always_inline]] inline void butterflies_between(__m256 (&v)[kRegisters]) {
#pragma GCC unroll 4
  for (int stride = kFirst; stride < kGroup; stride *= 2)
#pragma GCC unroll 16
    for (int i = 0; i < kRegisters; ++i) {
      if ((i & stride) != 0) continue;
      const __m256 a = v[i], b = v[i + stride];
      v[i] = _mm256_add_ps(a, b);
      v[i + stride] = _mm256_sub_ps(a, b);
    }
}

/// Butterflies within each register.
template <int kDistance, int kRegisters>
[[gnu::always_inline]] inline void butterflies_within_each(__m256 (&v)[kRegisters]) {
#pragma GCC unroll 16
  for (__m256& x : v) x = butterflies_within<kDistance>(x);
}

/// FP32(1 / sqrt(size)), rounded to nearest.
template <int kSize>
[[gnu::always_inline]] inline __m256 inverse_sqrt() {
  constexpr int32_t bits = kSize == 16 ? 0x3E800000 : kSize == 32 ? 0x3E3504F3 : kSize == 64 ? 0x3E000000 : 0x3DB504F3;
  return _mm256_castsi256_ps(_mm256_set1_epi32(bits));
}

template <int kSize, int kRegisters>
[[gnu::always_inline]] inline void multiply_by_inverse_sqrt(__m256 (&v)[kRegisters]) {
#pragma GCC unroll 16
  for (__m256& x : v) x = _mm256_mul_ps(x, inverse_sqrt<kSize>());
}

/// The transform of groups whose values stand in order. Some at once keep the CPU busy, stage by stage.
template <int kSize, int kRegisters>
[[gnu::always_inline]] inline void transform_in_order(__m256 (&v)[kRegisters]) {
  butterflies_within_each<1>(v);
  butterflies_within_each<2>(v);
  butterflies_within_each<4>(v);
  butterflies_between<1, kSize / 8>(v);
  multiply_by_inverse_sqrt<kSize>(v);
}

/// The transform of groups of which v[2 i] holds the even and v[2 i + 1] the odd elements of 16: in order, or kSplit as
/// split_pairs gives them.
template <int kSize, bool kSplit, int kRegisters>
[[gnu::always_inline]] inline void transform_even_odd(__m256 (&v)[kRegisters]) {
  butterflies_between<1, 2>(v);
  // Strides 2, 4, 8: lanes 1, 2, 4 apart, or, of elements 0 2 8 10 | 4 6 12 14, lanes 1, 4, 2 apart.
  butterflies_within_each<1>(v);
  butterflies_within_each<kSplit ? 4 : 2>(v);
  butterflies_within_each<kSplit ? 2 : 4>(v);
  butterflies_between<2, kSize / 8>(v);
  multiply_by_inverse_sqrt<kSize>(v);
}

/// Sixteen values in order to even ones, 0 2 8 10 | 4 6 12 14, and odd ones, 1 3 9 11 | 5 7 13 15.
[[gnu::always_inline]] inline void split_pairs(__m256 low, __m256 high, __m256& even, __m256& odd) {
  even = _mm256_shuffle_ps(low, high, 0x88);
  odd = _mm256_shuffle_ps(low, high, 0xDD);
}

/// Sixteen BF16 to even and odd FP32, in order.
[[gnu::always_inline]] inline void split_pairs(__m256i bf16, __m256& even, __m256& odd) {
  even = _mm256_castsi256_ps(_mm256_slli_epi32(bf16, 16));
  odd = _mm256_castsi256_ps(_mm256_and_si256(bf16, _mm256_set1_epi32(static_cast<int>(0xFFFF0000u))));
}

/// Even and odd values, no NaN but the canonical one among them, rounded to BF16 and side by side (SPEC 2.8). The lower
/// half of an FP32 decides: above 0x8000, or 0x8000 and the upper half odd, the upper half takes one more.
[[gnu::always_inline]] inline __m256i join_bf16(__m256 even, __m256 odd) {
  const __m256i e = _mm256_castps_si256(even), o = _mm256_castps_si256(odd);
  const __m256i upper = _mm256_blend_epi16(_mm256_srli_epi32(e, 16), o, 0xAA);
  const __m256i lower = _mm256_blend_epi16(e, _mm256_slli_epi32(o, 16), 0xAA);
  // lower - (upper is even ? 1 : 0), not below 0, is 0x8000 or above exactly there.
  const __m256i is_even = _mm256_andnot_si256(upper, _mm256_set1_epi16(1));
  return _mm256_add_epi16(upper, _mm256_srli_epi16(_mm256_subs_epu16(lower, is_even), 15));
}

}  // namespace
}  // namespace adahop::reference::simd
