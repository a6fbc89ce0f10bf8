// Groups of FP32 or BF16 values transformed and stored as FP32 or BF16, for AVX2. Implements SPEC 1.4, 2.8, 6.1-6.5,
// 6.10, 6.11.
#pragma once
#include "reference/simd/avx2/hadamard_butterflies.h"
#include "reference/simd/avx2/streaming_store.h"

namespace adahop::reference::simd {
namespace {

/// Every NaN to the canonical one. There is none but where an input or a sum was not finite.
template <int kRegisters>
[[gnu::always_inline]] inline void make_nan_canonical(__m256 (&v)[kRegisters]) {
  __m256 any = _mm256_cmp_ps(v[0], v[1], _CMP_UNORD_Q);
#pragma GCC unroll 8
  for (int i = 2; i < kRegisters; i += 2) any = _mm256_or_ps(any, _mm256_cmp_ps(v[i], v[i + 1], _CMP_UNORD_Q));
  if (_mm256_movemask_ps(any) == 0) [[likely]]
    return;
  const __m256 nan = _mm256_castsi256_ps(_mm256_set1_epi32(0x7FC00000));
#pragma GCC unroll 16
  for (__m256& x : v) x = _mm256_blendv_ps(x, nan, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

[[gnu::always_inline]] inline __m256i load_integers(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

/// Eight values as FP32, their signs changed by `signs` where it is not null.
[[gnu::always_inline]] inline __m256 load_values(const float* x, const uint32_t* signs) {
  const __m256 v = _mm256_loadu_ps(x);
  return signs == nullptr ? v : _mm256_xor_ps(v, _mm256_castsi256_ps(load_integers(signs)));
}
[[gnu::always_inline]] inline __m256 load_values(const uint16_t* x, const uint32_t* signs) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(x));
  const __m256 v = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  return signs == nullptr ? v : _mm256_xor_ps(v, _mm256_castsi256_ps(load_integers(signs)));
}

/// Sixteen values as even and odd ones; kSplits: in the order of split_pairs for FP32.
template <class Element>
constexpr bool kSplits = sizeof(Element) == 4;

[[gnu::always_inline]] inline void load_even_odd(const float* x, const uint32_t* signs, __m256& even, __m256& odd) {
  split_pairs(load_values(x, signs), load_values(x + 8, signs == nullptr ? nullptr : signs + 8), even, odd);
}
[[gnu::always_inline]] inline void load_even_odd(const uint16_t* x, const uint32_t* signs, __m256& even, __m256& odd) {
  __m256i v = load_integers(x);
  if (signs != nullptr) {  // 0x80000000 is the least 32-bit integer and saturates to the least 16-bit one, 0x8000
    const __m256i words = _mm256_packs_epi32(load_integers(signs), load_integers(signs + 8));
    v = _mm256_xor_si256(v, _mm256_permute4x64_epi64(words, 0xD8));
  }
  split_pairs(v, even, odd);
}

/// Rounded to BF16 values; v is no NaN but the canonical one, whose lower half is 0.
[[gnu::always_inline]] inline __m256 round_to_bf16(__m256 v) {
  const __m256i bits = _mm256_castps_si256(v);
  const __m256i last_kept = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), last_kept);
  return _mm256_castsi256_ps(_mm256_and_si256(sum, _mm256_set1_epi32(static_cast<int>(0xFFFF0000u))));
}

template <int kSize, int kGroups, class Element>
[[gnu::always_inline]] inline void transform_groups(bool round_bf16, const Element* x, const uint32_t* signs,
                                                    store_kind kind, float* out) {
  __m256 v[kGroups * kSize / 8];
#pragma GCC unroll 16
  for (int i = 0; i < kGroups * kSize / 8; ++i)
    v[i] = load_values(x + 8 * i, signs == nullptr ? nullptr : signs + 8 * i);
  transform_in_order<kSize>(v);
  make_nan_canonical(v);
  if (round_bf16)
#pragma GCC unroll 16
    for (__m256& values : v) values = round_to_bf16(values);
  store_all(kind, v, out);
}

template <int kSize, int kGroups, class Element>
[[gnu::always_inline]] inline void transform_groups(bool, const Element* x, const uint32_t* signs, store_kind kind,
                                                    uint16_t* out) {
  __m256 v[kGroups * kSize / 8];
#pragma GCC unroll 8
  for (int i = 0; i < kGroups * kSize / 8; i += 2)
    load_even_odd(x + 8 * i, signs == nullptr ? nullptr : signs + 8 * i, v[i], v[i + 1]);
  transform_even_odd<kSize, kSplits<Element>>(v);
  make_nan_canonical(v);
  __m256i rounded[kGroups * kSize / 16];
#pragma GCC unroll 8
  for (int i = 0; i < kGroups * kSize / 16; ++i) {
    rounded[i] = join_bf16(v[2 * i], v[2 * i + 1]);
    if constexpr (kSplits<Element>) rounded[i] = _mm256_permute4x64_epi64(rounded[i], 0xD8);
  }
  store_all(kind, rounded, out);
}

/// `count` values, whole groups; kSigned: with a word of signs for each.
template <int kSize, bool kSigned, class Element, class Result>
[[gnu::always_inline]] inline void transform_run(bool round_bf16, const Element* x, const uint32_t* signs,
                                                 int64_t count, store_kind kind, Result* out) {
  constexpr int kGroups = kSize < 64 ? 64 / kSize : 1;  // eight registers of values
  int64_t i = 0;
  for (; i + kGroups * kSize <= count; i += kGroups * kSize)
    transform_groups<kSize, kGroups>(round_bf16, x + i, kSigned ? signs + i : nullptr, kind, out + i);
  if constexpr (kGroups > 1)
    for (; i < count; i += kSize)
      transform_groups<kSize, 1>(round_bf16, x + i, kSigned ? signs + i : nullptr, kind, out + i);
}

}  // namespace
}  // namespace adahop::reference::simd
