// Philox4x32-10, word 0, of eight counters a vector. For AVX-512. Implements SPEC 5.18, 5.20.
#pragma once
#include <immintrin.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

/// The keys of the ten rounds.
struct philox_keys {
  static constexpr int kRounds = 10;
  uint64_t key0[kRounds], key1[kRounds];

  explicit philox_keys(uint64_t seed) {
    uint32_t low = static_cast<uint32_t>(seed), high = static_cast<uint32_t>(seed >> 32);
    for (int i = 0; i < kRounds; ++i) {
      key0[i] = low;
      key1[i] = high;
      low += 0x9E3779B9u;
      high += 0xBB67AE85u;
    }
  }
};

[[gnu::always_inline]] inline __m512i high_dwords(__m512i v) { return _mm512_shuffle_epi32(v, _MM_PERM_DDBB); }

[[gnu::always_inline]] inline __m512i xor3(__m512i a, __m512i b, uint64_t key) {
  return _mm512_ternarylogic_epi64(a, b, _mm512_set1_epi64(static_cast<long long>(key)), 0x96);
}

/// In the low dword of each qword of out[i]: word 0 of Philox4x32-10 of the counter {low, high word of the qword of
/// position[i], 0, word3}; the high dwords hold anything. A round is (c0, c1, c2, c3) -> (high(M1 c2) ^ c1 ^ k0, low(M1
/// c2), high(M0 c0) ^ c3 ^ k1, low(M0 c0)). Each counter word is kept in the low dword of its qword, which is all that
/// a 32 x 32 bit product reads, so that what is above it does not matter. All vectors go through each round together: a
/// round waits for the one before it.
template <int kCount>
[[gnu::always_inline]] inline void philox_word0(const philox_keys& keys, const __m512i (&position)[kCount], int word3,
                                                __m512i (&out)[kCount]) {
  const __m512i multiplier0 = _mm512_set1_epi64(0xD2511F53), multiplier1 = _mm512_set1_epi64(0xCD9E8D57);
  __m512i c0[kCount], c1[kCount], c2[kCount], c3[kCount];
  for (int i = 0; i < kCount; ++i) {  // round 0, where c2 = 0
    const __m512i product = _mm512_mul_epu32(multiplier0, position[i]), zero = _mm512_setzero_si512();
    c0[i] = xor3(high_dwords(position[i]), zero, keys.key0[0]);
    c1[i] = zero;
    c2[i] = xor3(high_dwords(product), _mm512_set1_epi64(word3), keys.key1[0]);
    c3[i] = product;
  }
  for (int round = 1; round < philox_keys::kRounds - 1; ++round)
    for (int i = 0; i < kCount; ++i) {
      const __m512i product0 = _mm512_mul_epu32(multiplier0, c0[i]), product1 = _mm512_mul_epu32(multiplier1, c2[i]);
      c0[i] = xor3(high_dwords(product1), c1[i], keys.key0[round]);
      c1[i] = product1;
      c2[i] = xor3(high_dwords(product0), c3[i], keys.key1[round]);
      c3[i] = product0;
    }
  for (int i = 0; i < kCount; ++i)  // the last round, of which only c0 is used
    out[i] = xor3(high_dwords(_mm512_mul_epu32(multiplier1, c2[i])), c1[i], keys.key0[philox_keys::kRounds - 1]);
}

}  // namespace
}  // namespace adahop::reference::simd
