// A streaming read by 64-byte loads.
#include "bench/baseline/read.h"

#include <immintrin.h>

namespace adahop::bench {

uint64_t read__avx512(const void* memory, int64_t size) {
  const char* const p = static_cast<const char*>(memory);
  __m512i sum[8];
  for (__m512i& s : sum) s = _mm512_setzero_si512();
  for (int64_t i = 0; i < size; i += kReadStep)
    for (int j = 0; j < 8; ++j) sum[j] = _mm512_xor_si512(sum[j], _mm512_load_si512(p + i + 64 * j));
  for (int j = 1; j < 8; ++j) sum[0] = _mm512_xor_si512(sum[0], sum[j]);
  alignas(64) uint64_t words[8];
  _mm512_store_si512(words, sum[0]);
  uint64_t all = 0;
  for (const uint64_t w : words) all ^= w;
  return all;
}

}  // namespace adahop::bench
