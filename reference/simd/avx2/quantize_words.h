// Word 0 of Philox4x32-10 for eight counters in a row, for AVX2. Implements the words of SPEC 5.18, 5.20.
#pragma once
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kRounds = 10;

/// The keys of all rounds, each in the lower half of every 64-bit lane.
struct philox_keys {
  __m256i low[kRounds], high[kRounds];
};

[[gnu::always_inline]] inline philox_keys keys_of(uint64_t seed) {
  philox_keys keys;
  uint32_t low = static_cast<uint32_t>(seed), high = static_cast<uint32_t>(seed >> 32);
  for (int i = 0; i < kRounds; ++i, low += 0x9E3779B9u, high += 0xBB67AE85u) {
    keys.low[i] = _mm256_set1_epi64x(static_cast<int64_t>(low));
    keys.high[i] = _mm256_set1_epi64x(static_cast<int64_t>(high));
  }
  return keys;
}

/// Word 0, in the lower half of each 64-bit lane, for the counters {low and high word of the lane, 0, word3}. Words of the state
/// are the lower halves of lanes; what the upper halves hold, the multiplications do not read.
[[gnu::always_inline]] inline __m256i philox_word(const philox_keys& keys, __m256i counter, __m256i word3) {
  const __m256i m0 = _mm256_set1_epi64x(0xD2511F53), m1 = _mm256_set1_epi64x(0xCD9E8D57);
  __m256i c0 = counter, c1 = _mm256_srli_epi64(counter, 32), c2 = _mm256_setzero_si256(), c3 = word3;
#pragma GCC unroll 10
  for (int i = 0; i < kRounds; ++i) {
    const __m256i p0 = _mm256_mul_epu32(m0, c0), p1 = _mm256_mul_epu32(m1, c2);
    c0 = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), _mm256_xor_si256(c1, keys.low[i]));
    c2 = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), _mm256_xor_si256(c3, keys.high[i]));
    c1 = p1;
    c3 = p0;
  }
  return c0;
}

/// The words of counters position to position + 7, modulo 2^64, in order.
[[gnu::always_inline]] inline __m256i philox_words(const philox_keys& keys, uint64_t position, uint32_t word3) {
  const __m256i first = _mm256_set1_epi64x(static_cast<int64_t>(position));
  const __m256i third = _mm256_set1_epi64x(static_cast<int64_t>(word3));
  // The even numbers to the lower halves of 64-bit lanes, the odd ones to the upper.
  const __m256i even = philox_word(keys, _mm256_add_epi64(first, _mm256_setr_epi64x(0, 2, 4, 6)), third);
  const __m256i odd = philox_word(keys, _mm256_add_epi64(first, _mm256_setr_epi64x(1, 3, 5, 7)), third);
  return _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA);
}

}  // namespace
}  // namespace adahop::reference::simd
