// Stores of 32 bytes that go past the caches where they are asked to and the output's alignment lets them. For AVX2.
#pragma once
#include <immintrin.h>
#include <stdint.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

/// Of large arrays many begin 16 bytes into a page; their halves are stored alone, and are one line again in the CPU.
enum class store_kind { plain, stream_32, stream_16 };

template <store_kind kStore>
[[gnu::always_inline]] inline void store(void* to, __m256i v) {
  if constexpr (kStore == store_kind::stream_32) {
    _mm256_stream_si256(static_cast<__m256i*>(to), v);
  } else if constexpr (kStore == store_kind::stream_16) {
    _mm_stream_si128(static_cast<__m128i*>(to), _mm256_castsi256_si128(v));
    _mm_stream_si128(static_cast<__m128i*>(to) + 1, _mm256_extracti128_si256(v, 1));
  } else {
    _mm256_storeu_si256(static_cast<__m256i*>(to), v);
  }
}

template <store_kind kStore>
[[gnu::always_inline]] inline void store(void* to, __m256 v) {
  store<kStore>(to, _mm256_castps_si256(v));
}

/// run.operator()<kind>() with the kind for this output, every store of which is at a multiple of 32 bytes from `out`;
/// orders what streamed before whatever the thread stores later.
template <class Run>
[[gnu::always_inline]] inline void with_store_kind(const void* out, bool stream, const Run& run) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(out) % 32;
  if (!stream || offset % 16 != 0) {
    run.template operator()<store_kind::plain>();
    return;
  }
  if (offset == 0)
    run.template operator()<store_kind::stream_32>();
  else
    run.template operator()<store_kind::stream_16>();
  _mm_sfence();
}

}  // namespace
}  // namespace adahop::reference::simd
