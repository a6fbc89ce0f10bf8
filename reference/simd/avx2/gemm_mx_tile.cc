// The register tile of the MX product under block_rne: a block's integers in 16 bits, one rounding addition for each
// block. Implements SPEC 10.1-10.6.
//
// VPMADDUBSW adds two products of at most 24 * 12, and a 16-bit lane takes 16 products of a block: at most 4608,
// nothing saturates. Two lanes make an output's dot product; with the words of the panels it becomes the bits of an
// FP32 number, as in the AVX-512 tile: 3*2^22 * 2^e, e = sa+sb-256, plus the bias that takes the 12 of B's bytes out,
// plus the dot product, is (3*2^22 + S) * 2^e with |S| <= 4608; less 3*2^22 * 2^e it is the term S * 2^e, exactly (S =
// 0 gives +0), and the addition to the accumulator is the one rounding.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

// The part of the tile that fits the registers.
constexpr int64_t kRows = 3, kVectors = 2, kColumns = 8 * kVectors, kSteps = 8;

static inline __attribute__((always_inline)) __m256i broadcast_word(const uint8_t* p) {
  int32_t word;
  memcpy(&word, p, sizeof word);
  return _mm256_set1_epi32(word);
}
static inline __attribute__((always_inline)) __m256i load(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

// Keeps a value in a register as it is now: a compiler that reassociates the sums of a block holds all its products at
// once.
static inline __attribute__((always_inline)) void keep(__m256i& v) { asm("" : "+x"(v)); }

// The dot products of a block of a part's rows and columns, the 12 of B's bytes included; a and b point at its first
// row and column in the panels.
static inline __attribute__((always_inline)) void dot_block(const uint8_t* a, const uint8_t* b,
                                                            __m256i (&sums)[kRows][kVectors]) {
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm256_setzero_si256();
#pragma GCC unroll 8
  for (int64_t s = 0; s < kSteps; ++s) {
    __m256i columns[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) columns[v] = load(b + (s * kMxTileColumns + 8 * v) * 4);
    for (int64_t r = 0; r < kRows; ++r) {
      const __m256i row = broadcast_word(a + (s * kMxTileRows + r) * 4);
      for (int64_t v = 0; v < kVectors; ++v) {
        sums[r][v] = _mm256_add_epi16(sums[r][v], _mm256_maddubs_epi16(columns[v], row));
        keep(sums[r][v]);
      }
    }
  }
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm256_madd_epi16(sums[r][v], _mm256_set1_epi16(1));
}

// The scale words of a block for one vector of outputs: of A's row with and without the bias, of B's columns.
struct scale_words {
  __m256i biased_row, row, column;
};

// For 107 <= sa+sb <= 360: 3*2^22 * 2^e has an exponent field of 150 + e, in 1 .. 254, and S * 2^e is a multiple of
// 2^-149.
struct plain_scale {
  static inline __attribute__((always_inline)) __m256 add(const scale_words& words, __m256i dot, __m256 acc) {
    const __m256i sum = _mm256_add_epi32(dot, _mm256_add_epi32(words.column, words.biased_row));
    const __m256i magic = _mm256_add_epi32(words.column, words.row);
    return _mm256_add_ps(acc, _mm256_sub_ps(_mm256_castsi256_ps(sum), _mm256_castsi256_ps(magic)));
  }
};

// For all bytes, lo <= hi: fma(S/4 * 2^(min(lo,244)-127), 2^(hi-127), acc). The first factor is exact: S/4 has 13
// significant bits and is a multiple of 2^-2, so the product is a multiple of 2^-129 and below 2^128. lo > 244 with S
// != 0 overflows whatever acc is, and still does with 244 for lo. 2^(byte-127) has the byte for exponent field, and
// 2^-127, of byte 0, is the subnormal 0x00400000.
struct any_scale {
  static inline __attribute__((always_inline)) __m256 add(const scale_words& words, __m256i dot, __m256 acc) {
    const __m256i s = _mm256_add_epi32(dot, _mm256_sub_epi32(words.biased_row, words.row));
    const __m256i no_exponent = _mm256_set1_epi32(static_cast<int32_t>(static_cast<uint32_t>(kMxMagic) + 0x80000000u));
    const __m256i byte_b = _mm256_sub_epi32(words.column, no_exponent), least = _mm256_set1_epi32(0x00400000);
    const __m256i lo = _mm256_min_epu32(_mm256_min_epu32(words.row, byte_b), _mm256_set1_epi32(244 << 23));
    const __m256 low_scale = _mm256_castsi256_ps(_mm256_max_epu32(lo, least));
    const __m256 high_scale = _mm256_castsi256_ps(_mm256_max_epu32(_mm256_max_epu32(words.row, byte_b), least));
    const __m256 quarter = _mm256_mul_ps(_mm256_cvtepi32_ps(s), _mm256_set1_ps(0.25f));
    return _mm256_fmadd_ps(_mm256_mul_ps(quarter, low_scale), high_scale, acc);
  }
};

// For each block, part by part: finish(its words of A, of B, dot products, where they belong in the tile). The tile
// stays in memory, since the registers hold the sums.
template <class Value, class Finish>
static inline __attribute__((always_inline)) void over_blocks(const uint8_t* a, const uint8_t* b, int64_t blocks,
                                                              Value* tile, const Finish& finish) {
  for (; blocks > 0; --blocks, a += kMxRowsBlockBytes, b += kMxColumnsBlockBytes)
    for (int64_t column = 0; column < kMxTileColumns; column += kColumns)
      for (int64_t row = 0; row < kMxTileRows; row += kRows) {
        __m256i dots[kRows][kVectors];
        dot_block(a + 4 * row, b + 4 * column, dots);
        for (int64_t r = 0; r < kRows; ++r)
          for (int64_t v = 0; v < kVectors; ++v)
            finish(a + 32 * kMxTileRows + 8 * (row + r), b + 32 * kMxTileColumns + 4 * (column + 8 * v), dots[r][v],
                   tile + (row + r) * kMxTileColumns + column + 8 * v);
      }
}

template <class Scale>
static inline __attribute__((always_inline)) void mx_tile(const uint8_t* a, const uint8_t* b, int64_t blocks,
                                                          float* tile) {
  over_blocks(a, b, blocks, tile,
              [](const uint8_t* row, const uint8_t* column, __m256i dot, float* acc) __attribute__((always_inline)) {
                const scale_words words{broadcast_word(row), broadcast_word(row + 4), load(column)};
                _mm256_storeu_ps(acc, Scale::add(words, dot, _mm256_loadu_ps(acc)));
              });
}

}  // namespace

void gemm_mx_tile__avx2(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<plain_scale>(a, b, blocks, tile);
}

void gemm_mx_tile_any__avx2(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<any_scale>(a, b, blocks, tile);
}

void gemm_int8_tile__avx2(const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) {
  over_blocks(a, b, blocks, tile,
              [](const uint8_t*, const uint8_t*, __m256i dot, int32_t* acc) __attribute__((always_inline)) {
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(acc), _mm256_add_epi32(load(acc), dot));
              });
}

}  // namespace adahop::reference::simd
