// Codes of blocks from their keys and the key of a quarter of their scale. For AVX-512. Implements SPEC 5.8, 5.11-5.13,
// 3.2.
#pragma once
#include <immintrin.h>

#include "reference/simd/avx512/quantize_keys.h"

namespace adahop::reference::simd {
namespace {

// In keys, a binade is 128 and a quarter of one 32: thresholds are multiples of 32. Rotated keys have all of it twice.
constexpr int kBinade = 2 * 128;
constexpr int kQuarter = 2 * 32;

/// What codes_of_4 subtracts under scale byte `byte`, 3 and above: the key of scale / 4, a power of two with a normal
/// FP32, less one short of a quarter, so that a shift rounds up.
constexpr int base_of(int byte) { return (byte - 2) * kBinade - (kQuarter - 2); }

/// From base_of to the rotated key of -6 scale: above it are the values that clip (SPEC 5.9).
constexpr int kSixAboveBase = kQuarter - 2 + 4 * kBinade + kBinade / 2 + 1;

// Bits 0-4: the cell of the value, bit 5: its sign. With r = key - key(scale / 4), cell j + 1 holds r from 32 j,
// exclusive where the value there is a tie that goes down or no threshold, to 32 (j + 1). A tie goes to the even code:
// .75, 1.75 and 3.5 go up, .25, 1.25, 2.5 and 5 down. The former are those whose upper mantissa bit is set, so that bit
// counts like anything else below the quarters; on 6 and other non-thresholds both sides have one code. All below scale
// / 4 saturate to cell 0, and |v| < 8 scale leaves 21 cells. Higher bits are of no use; byte lookups ignore them.
[[gnu::always_inline]] inline __m512i cells_and_signs(__m512i keys, __m512i base) {
  const __m512i tied =
      _mm512_ternarylogic_epi32(keys, _mm512_srli_epi16(keys, 6), _mm512_set1_epi16(2), 0xF8);  // a|(b&c)
  const __m512i above = _mm512_subs_epu16(tied, base);                                          // cell in bits 6-10
  return _mm512_shrdi_epi16(_mm512_slli_epi16(above, 5), tied, 11);
}

/// Byte 2 i of both vectors, those of the first first.
[[gnu::always_inline]] inline __m512i low_bytes(__m512i first, __m512i second) {
  const __m512i index =
      _mm512_set_epi8(126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100, 98, 96,  //
                      94, 92, 90, 88, 86, 84, 82, 80, 78, 76, 74, 72, 70, 68, 66, 64,                //
                      62, 60, 58, 56, 54, 52, 50, 48, 46, 44, 42, 40, 38, 36, 34, 32,                //
                      30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_epi8(first, index, second);
}

/// The low bytes of words 0, 16, 1, 17 and so on of the first vector, then of the second.
[[gnu::always_inline]] inline __m512i low_bytes_of_halves(__m512i first, __m512i second) {
  const __m512i index = _mm512_set_epi8(126, 94, 124, 92, 122, 90, 120, 88, 118, 86, 116, 84, 114, 82, 112, 80,  //
                                        110, 78, 108, 76, 106, 74, 104, 72, 102, 70, 100, 68, 98, 66, 96, 64,    //
                                        62, 30, 60, 28, 58, 26, 56, 24, 54, 22, 52, 20, 50, 18, 48, 16,          //
                                        46, 14, 44, 12, 42, 10, 40, 8, 38, 6, 36, 4, 34, 2, 32, 0);
  return _mm512_permutex2var_epi8(first, index, second);
}

/// The codes of two blocks, one byte of two codes in each word. kSplit: their words are the even elements, then the
/// odd.
template <bool kSplit>
[[gnu::always_inline]] inline __m512i codes_of_2(__m512i first, __m512i second) {
  const __m512i code =
      _mm512_set_epi8(15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 14, 14,  // by sign and cell
                      13, 13, 12, 12, 11, 11, 10, 10, 10, 9, 9, 9, 9, 9, 9, 8,         //
                      7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 6,                  //
                      5, 5, 4, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 0);
  const __m512i index = kSplit ? low_bytes_of_halves(first, second) : low_bytes(first, second);
  const __m512i codes = _mm512_permutexvar_epi8(index, code);
  return _mm512_maddubs_epi16(codes, _mm512_set1_epi16(0x1001));  // even + 16 odd
}

/// The 64 bytes of codes of four blocks from rotated keys; base[i] has base_of the scale of block i in both its halves.
template <bool kSplit>
[[gnu::always_inline]] inline __m512i codes_of_4(const __m512i (&keys)[4], const uint32_t* base) {
  __m512i cells[4];
  for (int i = 0; i < 4; ++i) cells[i] = cells_and_signs(keys[i], _mm512_set1_epi32(static_cast<int>(base[i])));
  return low_bytes(codes_of_2<kSplit>(cells[0], cells[1]), codes_of_2<kSplit>(cells[2], cells[3]));
}

}  // namespace
}  // namespace adahop::reference::simd
