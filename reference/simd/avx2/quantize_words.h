// Word 0 of Philox4x32-10 for many counters, for AVX2. Implements the words of SPEC 5.18, 5.20.
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

/// Word 0, in the lower half of each 64-bit lane, for the counters {low and high word of the lane, 0, word3}, in place.
/// Words of the state are the lower halves of lanes; what the upper halves hold, the multiplications do not read. Four
/// vectors at once, step by step: one alone waits for its multiplications most of the time.
[[gnu::always_inline]] inline void philox_words(const philox_keys& keys, __m256i word3, __m256i (&counter)[4]) {
  const __m256i m0 = _mm256_set1_epi64x(0xD2511F53), m1 = _mm256_set1_epi64x(0xCD9E8D57);
  __m256i c1[4], c2[4], c3[4];
  auto& c0 = counter;
  for (int i = 0; i < 4; ++i)
    c1[i] = _mm256_srli_epi64(c0[i], 32), c2[i] = _mm256_setzero_si256(), c3[i] = word3;
#pragma GCC unroll 10
  for (int round = 0; round < kRounds; ++round)
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
      const __m256i p0 = _mm256_mul_epu32(m0, c0[i]), p1 = _mm256_mul_epu32(m1, c2[i]);
      c0[i] = _mm256_xor_si256(_mm256_shuffle_epi32(p1, 0xF5), _mm256_xor_si256(c1[i], keys.low[round]));
      c2[i] = _mm256_xor_si256(_mm256_shuffle_epi32(p0, 0xF5), _mm256_xor_si256(c3[i], keys.high[round]));
      c1[i] = p1;
      c3[i] = p0;
    }
}

/// 64-bit counters base + first, base + first + step and so on, modulo 2^64.
[[gnu::always_inline]] inline __m256i counters(uint64_t base, int64_t first, int64_t step) {
  return _mm256_add_epi64(_mm256_set1_epi64x(static_cast<int64_t>(base)),
                          _mm256_setr_epi64x(first, first + step, first + 2 * step, first + 3 * step));
}

/// Words in the lower halves of 64-bit lanes, and others beside them in the upper halves.
[[gnu::always_inline]] inline __m256i interleave(__m256i even, __m256i odd) {
  return _mm256_blend_epi32(even, _mm256_shuffle_epi32(odd, 0xA0), 0xAA);
}

}  // namespace
}  // namespace adahop::reference::simd
