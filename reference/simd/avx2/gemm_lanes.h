// Masks of the first lanes, for the panels of the products.
#pragma once
#include <immintrin.h>
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

// -1 in the first `count` lanes of eight, count 0 .. 8.
static inline __attribute__((always_inline)) __m256i first_lanes(int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int32_t>(count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

}  // namespace
}  // namespace adahop::reference::simd
