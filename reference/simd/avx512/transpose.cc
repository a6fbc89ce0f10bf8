// Transposes by tiles: 16 x 16 elements of 32 bits, 32 x 32 of 16 bits; tails by masks, which neither read nor write
// where they are clear.
#include "reference/simd/avx512/transpose_tile.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

__mmask16 first_lanes16(int64_t n) { return static_cast<__mmask16>((1u << n) - 1); }           // n is 0..16
__mmask32 first_lanes32(int64_t n) { return static_cast<__mmask32>((uint64_t{1} << n) - 1); }  // n is 0..32

void transpose_edge_32(const uint32_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint32_t* out,
                       int64_t out_stride) {
  __m512i tile[16];
  for (int i = 0; i < 16; ++i)
    tile[i] = i < rows ? _mm512_maskz_loadu_epi32(first_lanes16(cols), in + i * in_stride) : _mm512_setzero_si512();
  transpose_tile(tile);
  for (int i = 0; i < 16; ++i)
    if (i < cols) _mm512_mask_storeu_epi32(out + i * out_stride, first_lanes16(rows), tile[i]);
}

void transpose_whole_32(const uint32_t* in, int64_t in_stride, uint32_t* out, int64_t out_stride) {
  __m512i tile[16];
  for (int i = 0; i < 16; ++i) tile[i] = _mm512_loadu_si512(in + i * in_stride);
  transpose_tile(tile);
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(out + i * out_stride, tile[i]);
}

// Half of a 32 x 32 tile: the columns 0-3, 8-11, 16-19 and 24-27 (half 0), or the four after each of those (half 1).
// Rows 2i and 2i + 1 are interleaved to 32-bit pairs, so that a 16 x 16 transpose of pairs does the rest.
template <int kHalf>
void transpose_half_16(const __m512i (&row)[32], int64_t rows, int64_t cols, uint16_t* out, int64_t out_stride) {
  __m512i tile[16];
  for (int i = 0; i < 16; ++i)
    tile[i] = kHalf == 0 ? _mm512_unpacklo_epi16(row[2 * i], row[2 * i + 1])
                         : _mm512_unpackhi_epi16(row[2 * i], row[2 * i + 1]);
  transpose_tile(tile);
  for (int i = 0; i < 16; ++i) {
    const int64_t column = 8 * (i / 4) + 4 * kHalf + i % 4;
    if (column >= cols) continue;
    if (rows == 32)
      _mm512_storeu_si512(out + column * out_stride, tile[i]);
    else
      _mm512_mask_storeu_epi16(out + column * out_stride, first_lanes32(rows), tile[i]);
  }
}

void transpose_tile_16(const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
                       int64_t out_stride) {
  __m512i row[32];
  if (rows == 32 && cols == 32)
    for (int i = 0; i < 32; ++i) row[i] = _mm512_loadu_si512(in + i * in_stride);
  else
    for (int i = 0; i < 32; ++i)
      row[i] = i < rows ? _mm512_maskz_loadu_epi16(first_lanes32(cols), in + i * in_stride) : _mm512_setzero_si512();
  transpose_half_16<0>(row, rows, cols, out, out_stride);
  transpose_half_16<1>(row, rows, cols, out, out_stride);
}

}  // namespace

void transpose_32__avx512(const uint32_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint32_t* out,
                          int64_t out_stride) {
  // Input rows are walked along, for the prefetchers; the output is where the caller stages, in cache.
  for (int64_t r = 0; r < rows; r += 16) {
    for (int64_t c = 0; c < cols; c += 16) {
      const uint32_t* const from = in + r * in_stride + c;
      uint32_t* const to = out + c * out_stride + r;
      if (rows - r >= 16 && cols - c >= 16)
        transpose_whole_32(from, in_stride, to, out_stride);
      else
        transpose_edge_32(from, in_stride, smaller(rows - r, 16), smaller(cols - c, 16), to, out_stride);
    }
  }
}

void transpose_16__avx512(const uint16_t* in, int64_t in_stride, int64_t rows, int64_t cols, uint16_t* out,
                          int64_t out_stride) {
  for (int64_t r = 0; r < rows; r += 32)
    for (int64_t c = 0; c < cols; c += 32)
      transpose_tile_16(in + r * in_stride + c, in_stride, smaller(rows - r, 32), smaller(cols - c, 32),
                        out + c * out_stride + r, out_stride);
}

}  // namespace adahop::reference::simd
