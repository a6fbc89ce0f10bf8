// The register tile of the MX product under block_rne: VNNI for a block's integers, one rounding addition for each
// block. Implements SPEC 10.1-10.6.
//
// The accumulators of VPDPBUSD start at the bits of the FP32 number 3*2^22 * 2^e, e = sa+sb-256, plus the bias that
// takes the 12 of B's bytes out. With S added they are the bits of (3*2^22 + S) * 2^e: |S| <= 4608, and no intermediate
// sum leaves the 22 bits below. Less 3*2^22 * 2^e that is the term S * 2^e, exactly (S = 0 gives +0), and the addition
// to the accumulator is the one rounding. So a block costs the two ports of VPDPBUSD nothing but its eight VPDPBUSD;
// everything else can run on the other two, if it stands among the VPDPBUSD: the first and the last step of a block do
// its additions row by row.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kRows = kMxTileRows, kVectors = kMxTileColumns / 16, kSteps = 8;

static inline __attribute__((always_inline)) __m512i broadcast_word(const uint8_t* p) {
  int32_t word;
  memcpy(&word, p, sizeof word);
  return _mm512_set1_epi32(word);
}

// Keeps a value that is used several times in a register: loaded anew for each use it would take a load port from
// others.
static inline __attribute__((always_inline)) void keep(__m512i& v) { asm("" : "+v"(v)); }

// sums[r][v] = start(r, v), then plus the dot products of a block of A's rows and of B's columns, then end(r, v,
// sums[r][v]).
template <class Start, class End>
static inline __attribute__((always_inline)) void dot_block(const uint8_t* a, const uint8_t* b,
                                                            __m512i (&sums)[kRows][kVectors], const Start& start,
                                                            const End& end) {
#pragma GCC unroll 8
  for (int64_t s = 0; s < kSteps; ++s) {
    __m512i columns[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) {
      columns[v] = _mm512_load_si512(b + (s * kVectors + v) * 64);
      keep(columns[v]);
    }
    for (int64_t r = 0; r < kRows; ++r) {
      __m512i row = broadcast_word(a + (s * kRows + r) * 4);
      keep(row);
      if (s == 0)
        for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = start(r, v);
      for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], columns[v], row);
      if (s == kSteps - 1)
        for (int64_t v = 0; v < kVectors; ++v) end(r, v, sums[r][v]);
    }
  }
}

// The scale words of a block: of A's rows with and without the bias, of B's columns.
struct scale_words {
  const uint8_t *a, *b;

  inline __attribute__((always_inline)) __m512i biased_row(int64_t r) const {
    return broadcast_word(a + 32 * kRows + 8 * r);
  }
  inline __attribute__((always_inline)) __m512i row(int64_t r) const {
    return broadcast_word(a + 32 * kRows + 8 * r + 4);
  }
  inline __attribute__((always_inline)) __m512i column(int64_t v) const {
    return _mm512_load_si512(b + 32 * kMxTileColumns + 64 * v);
  }
};

// For 107 <= sa+sb <= 360: 3*2^22 * 2^e has an exponent field of 150 + e, in 1 .. 254, and S * 2^e is a multiple of
// 2^-149.
struct plain_scale {
  static inline __attribute__((always_inline)) __m512i start(const scale_words& words, int64_t r, int64_t v) {
    return _mm512_add_epi32(words.column(v), words.biased_row(r));
  }
  static inline __attribute__((always_inline)) __m512 add(const scale_words& words, int64_t r, int64_t v, __m512i sum,
                                                          __m512 acc) {
    const __m512i magic = _mm512_add_epi32(words.column(v), words.row(r));
    return _mm512_add_ps(acc, _mm512_sub_ps(_mm512_castsi512_ps(sum), _mm512_castsi512_ps(magic)));
  }
};

// For all bytes, lo <= hi: fma(S/4 * 2^(min(lo,244)-127), 2^(hi-127), acc). The first factor is exact: S/4 has 13
// significant bits and is a multiple of 2^-2, so the product is a multiple of 2^-129 and below 2^128. lo > 244 with S
// != 0 overflows whatever acc is, and still does with 244 for lo. 2^(byte-127) has the byte for exponent field, and
// 2^-127, of byte 0, is the subnormal 0x00400000.
struct any_scale {
  static inline __attribute__((always_inline)) __m512i start(const scale_words& words, int64_t r, int64_t) {
    return _mm512_sub_epi32(words.biased_row(r), words.row(r));
  }
  static inline __attribute__((always_inline)) __m512 add(const scale_words& words, int64_t r, int64_t v, __m512i sum,
                                                          __m512 acc) {
    const __m512i byte_a = words.row(r);
    const __m512i byte_b = _mm512_sub_epi32(words.column(v), _mm512_set1_epi32(static_cast<int32_t>(
                                                                 static_cast<uint32_t>(kMxMagic) + 0x80000000u)));
    const __m512i least = _mm512_set1_epi32(0x00400000);
    const __m512i lo = _mm512_min_epu32(_mm512_min_epu32(byte_a, byte_b), _mm512_set1_epi32(244 << 23));
    const __m512 low_scale = _mm512_castsi512_ps(_mm512_max_epu32(lo, least));
    const __m512 high_scale = _mm512_castsi512_ps(_mm512_max_epu32(_mm512_max_epu32(byte_a, byte_b), least));
    const __m512 quarter = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), _mm512_set1_ps(0.25f));
    return _mm512_fmadd_ps(_mm512_mul_ps(quarter, low_scale), high_scale, acc);
  }
};

template <class Scale>
static inline __attribute__((always_inline)) void mx_tile(const uint8_t* a, const uint8_t* b, int64_t blocks,
                                                          float* tile) {
  __m512 acc[kRows][kVectors];
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm512_loadu_ps(tile + (r * kVectors + v) * 16);
  for (; blocks > 0; --blocks, a += kMxRowsBlockBytes, b += kMxColumnsBlockBytes) {
    const scale_words words{a, b};
    __m512i sums[kRows][kVectors];
    dot_block(
        a, b, sums,
        [&](int64_t r, int64_t v) __attribute__((always_inline)) { return Scale::start(words, r, v); },
        [&](int64_t r, int64_t v, __m512i sum) __attribute__((always_inline)) {
          acc[r][v] = Scale::add(words, r, v, sum, acc[r][v]);
        });
  }
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_ps(tile + (r * kVectors + v) * 16, acc[r][v]);
}

}  // namespace

void gemm_mx_tile__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<plain_scale>(a, b, blocks, tile);
}

void gemm_mx_tile_any__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<any_scale>(a, b, blocks, tile);
}

void gemm_int8_tile__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) {
  __m512i sums[kRows][kVectors];
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm512_loadu_si512(tile + (r * kVectors + v) * 16);
  for (; blocks > 0; --blocks, a += kMxRowsBlockBytes, b += kMxColumnsBlockBytes)
    dot_block(
        a, b, sums, [&](int64_t r, int64_t v) __attribute__((always_inline)) { return sums[r][v]; },
        [](int64_t, int64_t, __m512i) __attribute__((always_inline)) {});
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_si512(tile + (r * kVectors + v) * 16, sums[r][v]);
}

}  // namespace adahop::reference::simd
