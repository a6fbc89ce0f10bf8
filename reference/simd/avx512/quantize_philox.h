// Philox4x32-10, word 0, of eight counters at a time. For AVX-512. Implements SPEC 5.18, 5.20.
#pragma once
#include <immintrin.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

[[gnu::always_inline]] inline __m512i xor3(__m512i a, __m512i b, __m512i c) {
  return _mm512_ternarylogic_epi64(a, b, c, 0x96);
}

/// In the low dword of each qword: word 0 of Philox4x32-10 with the key {low, high word of seed} and the counter {low, high
/// word of `position`, 0, word3}; the high dwords hold anything. Counter words are kept in the low dwords, which is what the
/// 32 x 32 bit product reads, so that whatever a shift or product leaves above them does not matter.
[[gnu::always_inline]] inline __m512i philox_word0(uint64_t seed, __m512i position, int word3) {
  const __m512i multiplier0 = _mm512_set1_epi64(0xD2511F53), multiplier1 = _mm512_set1_epi64(0xCD9E8D57);
  uint32_t key0 = static_cast<uint32_t>(seed), key1 = static_cast<uint32_t>(seed >> 32);
  __m512i c0 = position, c1 = _mm512_srli_epi64(position, 32);
  __m512i c2 = _mm512_setzero_si512(), c3 = _mm512_set1_epi64(word3);
  for (int round = 0; round < 10; ++round) {
    const __m512i p0 = _mm512_mul_epu32(multiplier0, c0), p1 = _mm512_mul_epu32(multiplier1, c2);
    c0 = xor3(_mm512_srli_epi64(p1, 32), c1, _mm512_set1_epi64(key0));
    c1 = p1;
    c2 = xor3(_mm512_srli_epi64(p0, 32), c3, _mm512_set1_epi64(key1));
    c3 = p0;
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c0;
}

}  // namespace
}  // namespace adahop::reference::simd
