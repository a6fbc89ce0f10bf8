// The BF16 product under seq_fma on the FP32 pipe: 64 x 64 outputs a thread block, 4 x 4 a thread, each output one chain
// of fma in ascending k. Implements SPEC 10.7-10.9.
#include "kernels/elements.h"

namespace adahop::hip {

ADAHOP_KERNEL(bf16_gemm, bf16_gemm_args, 256) {
  constexpr uint32_t kTile = 64;
  constexpr uint32_t kTileK = 16;
  constexpr uint32_t kSide = 16;             // threads along each side of the tile
  constexpr uint32_t kEach = kTile / kSide;  // outputs of a thread along each side
  constexpr uint32_t kThreads = kSide * kSide;
  ADAHOP_SHARED(float, a_tile, kTileK * kTile);  // [k][row]
  ADAHOP_SHARED(float, b_tile, kTileK * kTile);
  const int64_t m0 = int64_t{block_x()} * kTile;
  const int64_t n0 = int64_t{block_y()} * kTile;
  const uint32_t tm = thread_x() / kSide;
  const uint32_t tn = thread_x() % kSide;

  float acc[kEach][kEach] = {};
  for (int64_t k0 = 0; k0 < args.k; k0 += kTileK) {
    for (uint32_t i = thread_x(); i < kTileK * kTile; i += kThreads) {
      const uint32_t k = i / kTile;
      const uint32_t row = i % kTile;
      const bool k_inside = k0 + k < args.k;
      a_tile.at(i) = k_inside && m0 + row < args.m ? load<bf16>(args.a, m0 + row, k0 + k) : 0.0f;
      b_tile.at(i) = k_inside && n0 + row < args.n ? load<bf16>(args.b, n0 + row, k0 + k) : 0.0f;
    }
    ADAHOP_BARRIER();
    // Steps past K are left out: adding 0 * 0 would turn a -0 into +0.
    const uint32_t here = args.k - k0 < kTileK ? static_cast<uint32_t>(args.k - k0) : kTileK;
    for (uint32_t k = 0; k < here; ++k) {
      float a[kEach], b[kEach];
      ADAHOP_UNROLL
      for (uint32_t i = 0; i < kEach; ++i) {
        a[i] = a_tile.at(k * kTile + tm + i * kSide);
        b[i] = b_tile.at(k * kTile + tn + i * kSide);
      }
      ADAHOP_UNROLL
      for (uint32_t i = 0; i < kEach; ++i) {
        ADAHOP_UNROLL
        for (uint32_t j = 0; j < kEach; ++j) acc[i][j] = __builtin_fmaf(a[i], b[j], acc[i][j]);
      }
    }
    ADAHOP_BARRIER();
  }

  ADAHOP_UNROLL
  for (uint32_t i = 0; i < kEach; ++i) {
    ADAHOP_UNROLL
    for (uint32_t j = 0; j < kEach; ++j) {
      const int64_t row = m0 + tm + i * kSide;
      const int64_t column = n0 + tn + j * kSide;
      if (row < args.m && column < args.n) store(args.out, row, column, acc[i][j]);
    }
  }
}

}  // namespace adahop::hip
