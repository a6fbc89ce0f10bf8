// Stores of vectors that go past the caches where they are asked to and the output's alignment lets them. For AVX2.
#pragma once
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

/// Of large arrays many begin 16 bytes into a page; their halves are stored alone, and are one line again in the CPU.
enum class store_kind { plain, stream_32, stream_16 };

/// The kind for an output into which every store goes at a multiple of 32 bytes from `out`. Whoever has streamed then
/// calls _mm_sfence(), which orders that before what the thread stores later.
[[gnu::always_inline]] inline store_kind store_kind_of(const void* out, bool stream) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(out) % 32;
  if (!stream || offset % 16 != 0) return store_kind::plain;
  return offset == 0 ? store_kind::stream_32 : store_kind::stream_16;
}

[[gnu::always_inline]] inline __m256i as_integers(__m256i v) { return v; }
[[gnu::always_inline]] inline __m256i as_integers(__m256 v) { return _mm256_castps_si256(v); }

/// All of v, one after the other.
template <class Vector, int kCount>
[[gnu::always_inline]] inline void store_all(store_kind kind, const Vector (&v)[kCount], void* out) {
  __m256i* const to = static_cast<__m256i*>(out);
  if (kind == store_kind::plain) {
#pragma GCC unroll 16
    for (int i = 0; i < kCount; ++i) _mm256_storeu_si256(to + i, as_integers(v[i]));
  } else if (kind == store_kind::stream_32) {
#pragma GCC unroll 16
    for (int i = 0; i < kCount; ++i) _mm256_stream_si256(to + i, as_integers(v[i]));
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < kCount; ++i) {
      __m128i* const halves = reinterpret_cast<__m128i*>(to + i);
      _mm_stream_si128(halves, _mm256_castsi256_si128(as_integers(v[i])));
      _mm_stream_si128(halves + 1, _mm256_extracti128_si256(as_integers(v[i]), 1));
    }
  }
}

}  // namespace
}  // namespace adahop::reference::simd
