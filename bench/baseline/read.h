// Streaming reads, one for each instruction set: nothing inline stands here, see reference/simd/kernels.h for the reason.
#pragma once
#include <stdint.h>

namespace adahop::bench {

constexpr int64_t kReadStep = 512;

/// Loads every byte once, in order, and gives the exclusive or of all 8-byte words. `memory` is aligned to 64 bytes, size
/// a multiple of kReadStep.
uint64_t read__avx512(const void* memory, int64_t size);
uint64_t read__avx2(const void* memory, int64_t size);

}  // namespace adahop::bench
