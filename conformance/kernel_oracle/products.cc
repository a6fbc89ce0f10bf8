// Products: panels from their description in kernels.h, register tiles by the oracle's accumulation, the stored output.
// Implements SPEC 1.4, 2.8, 10.1-10.9 for one tile.
#include <algorithm>
#include <cstring>

#include "conformance/kernel_oracle/kernel_oracle.h"
#include "reference/accumulate/block_rne.h"
#include "reference/accumulate/seq_fma.h"
#include "reference/block_dot.h"
#include "reference/output.h"

namespace adahop::conformance::kernel_oracle {
namespace {

using namespace adahop::reference;
using namespace adahop::reference::simd;

constexpr uint8_t kPlainScale = 127;
constexpr int64_t kRowsWords = 32 * kMxTileRows, kColumnsWords = 32 * kMxTileColumns;  // where a block's words begin

uint32_t load_word(const uint8_t* from) {
  uint32_t word;
  std::memcpy(&word, from, sizeof word);
  return word;
}
void store_word(uint32_t word, uint8_t* to) { std::memcpy(to, &word, sizeof word); }

int32_t element_x2(const uint8_t* codes, int64_t i) {
  return value_x2(unpack_e2m1(codes[i / 2], static_cast<uint32_t>(i % 2)));
}

// Where element i of a line stands in a block of a panel of `lines` lines.
int64_t place_of(int64_t i, int64_t line, int64_t lines) { return (i / 4 * lines + line) * 4 + i % 4; }

bool is_zero(const uint8_t* codes) {
  return std::all_of(codes, codes + kBlockBytes, [](uint8_t pair) { return (pair & 0x77u) == 0; });
}

template <class WriteLine>
scale_range pack(const mx_lines& x, int64_t lines, int64_t block_bytes, uint8_t* panel, uint32_t* nan,
                 const WriteLine& write_line) {
  constexpr uint8_t kZeros[kBlockBytes] = {};
  std::fill_n(nan, lines, 0u);
  scale_range range{kPlainScale, kPlainScale};
  for (int64_t line = 0; line < lines; ++line)
    for (int64_t b = 0; b < x.blocks; ++b) {
      const bool there = line < x.count;
      const uint8_t* const codes = there ? x.codes + line * x.codes_stride + b * kBlockBytes : kZeros;
      uint8_t scale = there ? x.scales[line * x.scales_stride + b] : kPlainScale;
      if (scale == kE8m0Nan) nan[line] = kCanonicalNan;
      if (scale == kE8m0Nan || is_zero(codes)) scale = kPlainScale;
      range.least = std::min<int32_t>(range.least, scale);
      range.greatest = std::max<int32_t>(range.greatest, scale);
      write_line(codes, scale, line, panel + b * block_bytes);
    }
  return range;
}

// The dot product of row r and column c of a block of both panels, four times that of the values.
int32_t dot_x4(const uint8_t* a, const uint8_t* b, int64_t r, int64_t c, int32_t bias) {
  int32_t sum = 0;
  for (int64_t i = 0; i < kBlockSize; ++i)
    sum += static_cast<int8_t>(a[place_of(i, r, kMxTileRows)]) * (b[place_of(i, c, kMxTileColumns)] - bias);
  return sum;
}

// add(output, blocks of A and of B, r, c) for each output and block of a tile.
template <class Output, class Add>
void add_blocks(const uint8_t* a, const uint8_t* b, int64_t blocks, Output* tile, const Add& add) {
  for (int64_t r = 0; r < kMxTileRows; ++r)
    for (int64_t c = 0; c < kMxTileColumns; ++c)
      for (int64_t k = 0; k < blocks; ++k)
        add(tile[r * kMxTileColumns + c], a + k * kMxRowsBlockBytes, b + k * kMxColumnsBlockBytes, r, c);
}

template <class Result>
void store_tile(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                const uint32_t* col_nan, Result* out, int64_t out_stride) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const float v = (row_nan[r] | col_nan[c]) != 0 ? float_of(kCanonicalNan) : tile[r * tile_stride + c];
      if constexpr (sizeof(Result) == 2)
        out[r * out_stride + c] = round_bf16(v).bits;
      else
        out[r * out_stride + c] = canonical(v);
    }
}

bf16 exact_bf16(float v) { return {static_cast<uint16_t>(bits_of(v) >> 16)}; }

}  // namespace

void write_rows_line(const uint8_t* codes, uint8_t scale, int64_t line, uint8_t* block) {
  int32_t sum = 0;
  for (int64_t i = 0; i < kBlockSize; ++i) {
    sum += element_x2(codes, i);
    block[place_of(i, line, kMxTileRows)] = static_cast<uint8_t>(element_x2(codes, i));
  }
  const uint32_t shifted = uint32_t{scale} << 23;
  store_word(shifted - static_cast<uint32_t>(12 * sum), block + kRowsWords + 8 * line);
  store_word(shifted, block + kRowsWords + 8 * line + 4);
}

void write_columns_line(const uint8_t* codes, uint8_t scale, int64_t line, uint8_t* block) {
  for (int64_t i = 0; i < kBlockSize; ++i)
    block[place_of(i, line, kMxTileColumns)] = static_cast<uint8_t>(element_x2(codes, i) + 12);
  store_word(uint32_t{kMxMagic} + ((uint32_t{scale} - 256u) << 23), block + kColumnsWords + 4 * line);
}

uint8_t scale_of_rows_line(const uint8_t* block, int64_t line) {
  return static_cast<uint8_t>(load_word(block + kRowsWords + 8 * line + 4) >> 23);
}
uint8_t scale_of_columns_line(const uint8_t* block, int64_t line) {
  return static_cast<uint8_t>((load_word(block + kColumnsWords + 4 * line) - uint32_t{kMxMagic} + (256u << 23)) >> 23);
}

scale_range gemm_pack_mx_rows(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  return pack(x, kMxTileRows, kMxRowsBlockBytes, panel, nan, write_rows_line);
}
scale_range gemm_pack_mx_columns(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  return pack(x, kMxTileColumns, kMxColumnsBlockBytes, panel, nan, write_columns_line);
}

void gemm_mx_tile_any(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  add_blocks(a, b, blocks, tile, [](float& acc, const uint8_t* of_a, const uint8_t* of_b, int64_t r, int64_t c) {
    acc = accumulate_block_rne(acc, dot_x4(of_a, of_b, r, c, 12), e8m0_of(scale_of_rows_line(of_a, r)),
                               e8m0_of(scale_of_columns_line(of_b, c)));
  });
}
void gemm_mx_tile(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  gemm_mx_tile_any(a, b, blocks, tile);
}

void gemm_int8_tile(const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) {
  add_blocks(a, b, blocks, tile, [](int32_t& acc, const uint8_t* of_a, const uint8_t* of_b, int64_t r, int64_t c) {
    acc += dot_x4(of_a, of_b, r, c, 0);
  });
}

void gemm_pack_bf16(const uint16_t* x, int64_t stride, int64_t count, int64_t depth, int64_t width, float* panel) {
  std::fill_n(panel, depth * width, 0.0f);
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < depth; ++k) panel[k * width + i] = decode_bf16({x[i * stride + k]});
}

void gemm_bf16_tile(const float* a, const float* b, int64_t depth, float* tile) {
  for (int64_t r = 0; r < kBf16TileRows; ++r)
    for (int64_t c = 0; c < kBf16TileColumns; ++c) {
      float& acc = tile[r * kBf16TileColumns + c];
      for (int64_t k = 0; k < depth; ++k)
        acc = accumulate_seq_fma(acc, exact_bf16(a[k * kBf16TileRows + r]), exact_bf16(b[k * kBf16TileColumns + c]));
    }
}

void gemm_store_f32(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                    const uint32_t* col_nan, float* out, int64_t out_stride) {
  store_tile(tile, tile_stride, rows, cols, row_nan, col_nan, out, out_stride);
}
void gemm_store_bf16(const float* tile, int64_t tile_stride, int64_t rows, int64_t cols, const uint32_t* row_nan,
                     const uint32_t* col_nan, uint16_t* out, int64_t out_stride) {
  store_tile(tile, tile_stride, rows, cols, row_nan, col_nan, out, out_stride);
}

}  // namespace adahop::conformance::kernel_oracle
