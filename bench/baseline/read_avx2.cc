// A streaming read by 32-byte loads.
#include "bench/baseline/read.h"

#include <immintrin.h>

namespace adahop::bench {

uint64_t read__avx2(const void* memory, int64_t size) {
  const char* const p = static_cast<const char*>(memory);
  __m256i sum[8];
  for (__m256i& s : sum) s = _mm256_setzero_si256();
  for (int64_t i = 0; i < size; i += kReadStep)
    for (int j = 0; j < 16; ++j)
      sum[j % 8] = _mm256_xor_si256(sum[j % 8], _mm256_load_si256(reinterpret_cast<const __m256i*>(p + i + 32 * j)));
  for (int j = 1; j < 8; ++j) sum[0] = _mm256_xor_si256(sum[0], sum[j]);
  alignas(32) uint64_t words[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(words), sum[0]);
  return words[0] ^ words[1] ^ words[2] ^ words[3];
}

}  // namespace adahop::bench
