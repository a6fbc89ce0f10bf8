// Transposes by tiles: 8 x 8 elements of 32 bits, 16 x 16 of 16 bits; tiles at the edge go through whole tiles on the
// stack.
#include "reference/simd/avx2/transpose_tile.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

__m256i load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }
void store(void* at, __m256i v) { _mm256_storeu_si256(static_cast<__m256i*>(at), v); }

void transpose_whole(const uint32_t* in, int64_t in_stride, uint32_t* out, int64_t out_stride) {
  __m256i tile[8];
  for (int i = 0; i < 8; ++i) tile[i] = load(in + i * in_stride);
  transpose_tile(tile);
  for (int i = 0; i < 8; ++i) store(out + i * out_stride, tile[i]);
}

void transpose_whole(const uint16_t* in, int64_t in_stride, uint16_t* out, int64_t out_stride) {
  __m256i row[16];
  for (int i = 0; i < 16; ++i) row[i] = load(in + i * in_stride);
  // Rows 2i and 2i + 1 are interleaved to 32-bit pairs, so that an 8 x 8 transpose of pairs does the rest: first of the
  // columns 0-3 and 8-11, then of the four after each of those.
  for (int half = 0; half < 2; ++half) {
    __m256i tile[8];
    for (int i = 0; i < 8; ++i)
      tile[i] = half == 0 ? _mm256_unpacklo_epi16(row[2 * i], row[2 * i + 1])
                          : _mm256_unpackhi_epi16(row[2 * i], row[2 * i + 1]);
    transpose_tile(tile);
    for (int i = 0; i < 8; ++i) store(out + (8 * (i / 4) + 4 * half + i % 4) * out_stride, tile[i]);
  }
}

template <class T>
constexpr int64_t kSide = 32 / static_cast<int64_t>(sizeof(T));

template <class T>
void transpose_edge(const T* in, int64_t in_stride, int64_t rows, int64_t cols, T* out, int64_t out_stride) {
  constexpr int64_t kTile = kSide<T>;
  T from[kTile * kTile] = {}, to[kTile * kTile];
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) from[r * kTile + c] = in[r * in_stride + c];
  transpose_whole(from, kTile, to, kTile);
  for (int64_t c = 0; c < cols; ++c)
    for (int64_t r = 0; r < rows; ++r) out[c * out_stride + r] = to[c * kTile + r];
}

template <class T>
void transpose(const T* in, int64_t in_stride, int64_t rows, int64_t cols, T* out, int64_t out_stride) {
  constexpr int64_t kTile = kSide<T>;
  // Input rows are walked along, for the prefetchers; the output is where the caller stages, in cache.
  for (int64_t r = 0; r < rows; r += kTile) {
    const int64_t tile_rows = rows - r < kTile ? rows - r : kTile;
    for (int64_t c = 0; c < cols; c += kTile) {
      const int64_t tile_cols = cols - c < kTile ? cols - c : kTile;
      const T* const from = in + r * in_stride + c;
      T* const to = out + c * out_stride + r;
      if (tile_rows == kTile && tile_cols == kTile)
        transpose_whole(from, in_stride, to, out_stride);
      else
        transpose_edge(from, in_stride, tile_rows, tile_cols, to, out_stride);
    }
  }
}

}  // namespace

void transpose_32__avx2(const uint32_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint32_t* out,
                        int64_t out_stride) {
  transpose(in, in_stride, rows, cols, out, out_stride);
}

void transpose_16__avx2(const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
                        int64_t out_stride) {
  transpose(in, in_stride, rows, cols, out, out_stride);
}

}  // namespace adahop::reference::simd
