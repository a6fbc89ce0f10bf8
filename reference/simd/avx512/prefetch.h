// Asking for input ahead of its use. For AVX-512.
#pragma once
#include <stdint.h>

namespace adahop::reference::simd {
namespace {

/// Asks for the kBytes, whole lines, that lie kAhead after `at`, if such memory is there. Bursts of reading with
/// computing or a stream of stores in between do not keep the hardware's own prefetching busy. kAhead is not a multiple
/// of 4096, which would put what is read and what is asked for into the same sets of the L1 cache.
template <int kBytes>
[[gnu::always_inline]] inline void prefetch_ahead(const void* at) {
  constexpr uintptr_t kAhead = 7 * 1024;
  constexpr int kLine = 64;
  for (int i = 0; i < kBytes; i += kLine)
    __builtin_prefetch(
        reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(at) + kAhead + static_cast<uintptr_t>(i)));
}

}  // namespace
}  // namespace adahop::reference::simd
