// The register tile of the MX product under block_rne: VNNI for a block's integers, one FMA for its rounding. Implements
// SPEC 10.1-10.6.
//
// Of each output and block: eight VPDPBUSD from the bias of B's panel give S exactly (|S| <= 4608), whose conversion to FP32
// is exact, and fma(S, 2^(sa+sb-256), acc) rounds the exact sum once. The scale is made by an integer addition of exponent
// fields, which runs beside the two ports that VPDPBUSD and FMA share: those have 9 instructions where plain int8 has 8.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kRows = kMxTileRows, kVectors = kMxTileColumns / 16, kSteps = 8;

using int_tile = __m512i[kRows][kVectors];
using float_tile = __m512[kRows][kVectors];

static inline __attribute__((always_inline)) __m512i broadcast_word(const uint8_t* p) {
  int32_t word;
  memcpy(&word, p, sizeof word);
  return _mm512_set1_epi32(word);
}

// sums += the dot products of a block of A's rows and of B's columns.
static inline __attribute__((always_inline)) void dot_block(const uint8_t* a, const uint8_t* b, int_tile& sums) {
#pragma GCC unroll 8
  for (int64_t s = 0; s < kSteps; ++s) {
    __m512i columns[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) columns[v] = _mm512_load_si512(b + (s * kVectors + v) * 64);
    for (int64_t r = 0; r < kRows; ++r) {
      const __m512i row = broadcast_word(a + (s * kRows + r) * 4);
      for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], row, columns[v]);
    }
  }
}

// acc + s * 2^(sa+sb-256) for 130 <= sa+sb <= 383, where the scale is a normal FP32 number: its exponent field is
// sa + (sb - 129), in 1 .. 254, and both words come shifted to it.
struct normal_scale {
  static inline __attribute__((always_inline)) __m512 add(__m512 acc, __m512 s, __m512i a, __m512i b) {
    return _mm512_fmadd_ps(s, _mm512_castsi512_ps(_mm512_add_epi32(a, b)), acc);
  }
};

// The same for all bytes, lo <= hi: fma(S/4 * 2^(min(lo,244)-127), 2^(hi-127), acc). The first factor is exact: S/4 has 13
// significant bits and is a multiple of 2^-2, so the product is a multiple of 2^-129 and below 2^128. lo > 244 with S != 0
// overflows whatever acc is, and still does with 244 for lo. 2^(byte-127) has the byte for exponent field, and 2^-127, of
// byte 0, is the subnormal 0x00400000.
struct any_scale {
  static inline __attribute__((always_inline)) __m512 add(__m512 acc, __m512 s, __m512i a, __m512i b) {
    const __m512i byte_b = _mm512_add_epi32(b, _mm512_set1_epi32(129 << 23));
    const __m512i least = _mm512_set1_epi32(0x00400000);
    const __m512i lo = _mm512_min_epu32(_mm512_min_epu32(a, byte_b), _mm512_set1_epi32(244 << 23));
    const __m512 low_scale = _mm512_castsi512_ps(_mm512_max_epu32(lo, least));
    const __m512 high_scale = _mm512_castsi512_ps(_mm512_max_epu32(_mm512_max_epu32(a, byte_b), least));
    const __m512 quarter = _mm512_mul_ps(s, _mm512_set1_ps(0.25f));
    return _mm512_fmadd_ps(_mm512_mul_ps(quarter, low_scale), high_scale, acc);
  }
};

template <class Scale>
static inline __attribute__((always_inline)) void mx_tile(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  float_tile acc;
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) acc[r][v] = _mm512_loadu_ps(tile + (r * kVectors + v) * 16);
  for (; blocks > 0; --blocks, a += kMxRowsBlockBytes, b += kMxColumnsBlockBytes) {
    int_tile sums;
    for (int64_t v = 0; v < kVectors; ++v) {
      const __m512i bias = _mm512_load_si512(b + 32 * kMxTileColumns + 64 * v);
      for (int64_t r = 0; r < kRows; ++r) sums[r][v] = bias;
    }
    dot_block(a, b, sums);
    __m512i scale_b[kVectors];
    for (int64_t v = 0; v < kVectors; ++v) scale_b[v] = _mm512_load_si512(b + 36 * kMxTileColumns + 64 * v);
    for (int64_t r = 0; r < kRows; ++r) {
      const __m512i scale_a = broadcast_word(a + 32 * kRows + 4 * r);
      for (int64_t v = 0; v < kVectors; ++v)
        acc[r][v] = Scale::add(acc[r][v], _mm512_cvtepi32_ps(sums[r][v]), scale_a, scale_b[v]);
    }
  }
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_ps(tile + (r * kVectors + v) * 16, acc[r][v]);
}

}  // namespace

void gemm_mx_tile__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<normal_scale>(a, b, blocks, tile);
}

void gemm_mx_tile_any__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) {
  mx_tile<any_scale>(a, b, blocks, tile);
}

void gemm_int8_tile__avx512(const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) {
  int_tile sums;
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) sums[r][v] = _mm512_loadu_si512(tile + (r * kVectors + v) * 16);
  for (; blocks > 0; --blocks, a += kMxRowsBlockBytes, b += kMxColumnsBlockBytes) dot_block(a, b, sums);
  for (int64_t r = 0; r < kRows; ++r)
    for (int64_t v = 0; v < kVectors; ++v) _mm512_storeu_si512(tile + (r * kVectors + v) * 16, sums[r][v]);
}

}  // namespace adahop::reference::simd
