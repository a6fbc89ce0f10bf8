// Stores that go past the caches where they are asked to and the output's alignment lets them. For AVX-512.
#pragma once
#include <immintrin.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

/// Of large arrays many begin 16 bytes into a page: their lines are stored in quarters, which the CPU puts together
/// again.
enum class store_kind { plain, stream_64, stream_16 };

/// The kind for an output into which every store goes at a multiple of 64 bytes from `out`. Whoever has streamed ends
/// with order_stores().
[[gnu::always_inline]] inline store_kind store_kind_of(const void* out, bool stream) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(out) % 64;
  if (!stream || offset % 16 != 0) return store_kind::plain;
  return offset == 0 ? store_kind::stream_64 : store_kind::stream_16;
}

/// Streamed stores are ordered with what the thread stores later, as others are of themselves.
[[gnu::always_inline]] inline void order_stores(store_kind kind) {
  if (kind != store_kind::plain) _mm_sfence();
}

/// All of v, one after the other.
template <int kCount>
[[gnu::always_inline]] inline void store_all(store_kind kind, const __m512i (&v)[kCount], void* out) {
  __m512i* const to = static_cast<__m512i*>(out);
  if (kind == store_kind::plain) {
    for (int i = 0; i < kCount; ++i) _mm512_storeu_si512(to + i, v[i]);
  } else if (kind == store_kind::stream_64) {
    for (int i = 0; i < kCount; ++i) _mm512_stream_si512(to + i, v[i]);
  } else {
    for (int i = 0; i < kCount; ++i) {
      __m128i* const quarters = reinterpret_cast<__m128i*>(to + i);
      _mm_stream_si128(quarters, _mm512_castsi512_si128(v[i]));
      _mm_stream_si128(quarters + 1, _mm512_extracti32x4_epi32(v[i], 1));
      _mm_stream_si128(quarters + 2, _mm512_extracti32x4_epi32(v[i], 2));
      _mm_stream_si128(quarters + 3, _mm512_extracti32x4_epi32(v[i], 3));
    }
  }
}

}  // namespace
}  // namespace adahop::reference::simd
