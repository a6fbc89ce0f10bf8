// Walsh-Hadamard butterflies on groups of 16 to 128 values in registers, and the rounding to BF16. For AVX-512.
// Implements SPEC 6.2-6.4, 6.10, 2.8.
#pragma once
#include <immintrin.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kLanes = 16;

/// x with the lanes at distance kStride exchanged.
template <int kStride>
[[gnu::always_inline]] inline __m512 exchange(__m512 x) {
  if constexpr (kStride == 1) return _mm512_permute_ps(x, 0xB1);
  if constexpr (kStride == 2) return _mm512_permute_ps(x, 0x4E);
  if constexpr (kStride == 4) return _mm512_shuffle_f32x4(x, x, 0xB1);
  if constexpr (kStride == 8) return _mm512_shuffle_f32x4(x, x, 0x4E);
}

/// -1 in the lanes whose number has the bit kStride, 1 in the others.
template <int kStride>
[[gnu::always_inline]] inline __m512 upper_negative() {
  constexpr __mmask16 kUpper = kStride == 1 ? 0xAAAA : kStride == 2 ? 0xCCCC : kStride == 4 ? 0xF0F0 : 0xFF00;
  return _mm512_mask_blend_ps(kUpper, _mm512_set1_ps(1.0f), _mm512_set1_ps(-1.0f));
}

/// One stage within a vector: a + b in the lane of a, a - b in the lane of b. As x * 1 and x * -1 are exact, the fma
/// rounds that sum or difference once, and a zero has the sign of IEEE 754's sum b + a or (-b) + a, which are a + b and
/// a - b.
template <int kStride>
[[gnu::always_inline]] inline __m512 butterfly(__m512 x) {
  return _mm512_fmadd_ps(x, upper_negative<kStride>(), exchange<kStride>(x));
}

/// FP32(1 / sqrt(16 kVectors)), rounded to nearest.
template <int kVectors>
constexpr float kInverseSqrt = kVectors == 1   ? 0x1p-2f
                               : kVectors == 2 ? 0x1.6a09e6p-3f
                               : kVectors == 4 ? 0x1p-3f
                                               : 0x1.6a09e6p-4f;

/// The butterflies of lane strides 1 to 8 in each vector. Stage by stage over all of them: the chain of operations of
/// one is longer than what the schedulers of a core look ahead.
template <int kCount>
[[gnu::always_inline]] inline void butterflies_within(__m512 (&x)[kCount]) {
  for (int i = 0; i < kCount; ++i) x[i] = butterfly<1>(x[i]);
  for (int i = 0; i < kCount; ++i) x[i] = butterfly<2>(x[i]);
  for (int i = 0; i < kCount; ++i) x[i] = butterfly<4>(x[i]);
  for (int i = 0; i < kCount; ++i) x[i] = butterfly<8>(x[i]);
}

/// The butterflies of the vectors at distance kStride.
template <int kStride, int kCount>
[[gnu::always_inline]] inline void butterflies_between(__m512 (&x)[kCount]) {
  for (int i = 0; i < kCount; ++i) {
    if ((i & kStride) != 0) continue;
    const __m512 a = x[i], b = x[i + kStride];
    x[i] = _mm512_add_ps(a, b);
    x[i + kStride] = _mm512_sub_ps(a, b);
  }
}

template <int kVectors, int kCount>
[[gnu::always_inline]] inline void scale_down(__m512 (&x)[kCount]) {
  for (int i = 0; i < kCount; ++i) x[i] = _mm512_mul_ps(x[i], _mm512_set1_ps(kInverseSqrt<kVectors>));
}

/// The transforms of groups of kVectors vectors one after the other in x; NaN of any sign and payload.
template <int kVectors, int kCount>
[[gnu::always_inline]] inline void transform_groups(__m512 (&x)[kCount]) {
  butterflies_within(x);
  if constexpr (kVectors > 1) butterflies_between<1>(x);
  if constexpr (kVectors > 2) butterflies_between<2>(x);
  if constexpr (kVectors > 4) butterflies_between<4>(x);
  scale_down<kVectors>(x);
}

/// The transforms of groups of 32 of which each is a vector of the even elements, then one of the odd ones, before and
/// after: stride 1 is that between the two, stride 2 to 16 are lane strides 1 to 8.
template <int kCount>
[[gnu::always_inline]] inline void transform_split_groups(__m512 (&x)[kCount]) {
  butterflies_between<1>(x);
  butterflies_within(x);
  scale_down<2>(x);
}

[[gnu::always_inline]] inline __m512 canonical(__m512 x) {
  return _mm512_mask_mov_ps(x, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                            _mm512_castsi512_ps(_mm512_set1_epi32(0x7FC00000)));
}

/// x rounded to BF16 values, subnormals kept, NaN canonical: half a BF16 unit, less one unless the last kept bit is
/// odd, carries as RNE does.
[[gnu::always_inline]] inline __m512 rounded_to_bf16(__m512 x) {
  const __m512i bits = _mm512_castps_si512(x);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i sum = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7FFF)), odd);
  const __m512i kept = _mm512_and_si512(sum, _mm512_set1_epi32(static_cast<int>(0xFFFF0000u)));
  return _mm512_mask_mov_ps(_mm512_castsi512_ps(kept), _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                            _mm512_castsi512_ps(_mm512_set1_epi32(0x7FC00000)));
}

/// 32 values in BF16 as the instruction rounds them: RNE, but subnormals become zeros of their sign and a NaN keeps its
/// sign and payload.
[[gnu::always_inline]] inline __m512i bf16_flushed(__m512 low, __m512 high) {
  return reinterpret_cast<__m512i>(_mm512_cvtne2ps_pbh(high, low));
}

/// 32 values in BF16 by SPEC 2.8: by the instruction unless one of them is what it rounds otherwise.
[[gnu::always_inline]] inline __m512i bf16_of(__m512 low, __m512 high) {
  constexpr int kQuietNan = 0x01, kSubnormal = 0x20, kSignallingNan = 0x80;
  constexpr int kOtherwise = kQuietNan | kSubnormal | kSignallingNan;
  if (__builtin_expect((_mm512_fpclass_ps_mask(low, kOtherwise) | _mm512_fpclass_ps_mask(high, kOtherwise)) == 0, 1))
    return bf16_flushed(low, high);
  const __m512i upper_halves = _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33,  //
                                                31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  return _mm512_permutex2var_epi16(_mm512_castps_si512(rounded_to_bf16(low)), upper_halves,
                                   _mm512_castps_si512(rounded_to_bf16(high)));
}

}  // namespace
}  // namespace adahop::reference::simd
