// Panels of the MX product from packed codes: nibbles to bytes and the interleave of the lines. Implements SPEC 3.2,
// 10.1.
#include "reference/simd/avx512/gemm_scales.h"

namespace adahop::reference::simd {
namespace {

// Twice the value of each code, for a lookup by the low four bits of six.
__m512i signed_values() {
  return _mm512_broadcast_i32x4(_mm_setr_epi8(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12));
}

// Bytes 0 to 7 of each 64-bit lane get its nibbles 0 to 7, in even lanes, or 8 to 15 in odd ones where `both_halves`;
// what else they hold of the neighbouring nibble the lookup does not see.
__m512i nibble_shifts(bool both_halves) {
  const int64_t low = 0x1C1814100C080400, high = 0x3C3834302C282420;
  return _mm512_set_epi64(both_halves ? high : low, low, both_halves ? high : low, low, both_halves ? high : low, low,
                          both_halves ? high : low, low);
}

// For each output vector of a block of A, where its 16-bit words of four codes stand among the 48 of the rows: dword d
// holds step d / 6 of row d % 6, and words 2 and 3 of a 64-bit lane are not used.
struct row_word_table {
  alignas(64) uint16_t index[3][32];

  constexpr row_word_table() : index() {
    for (int v = 0; v < 3; ++v)
      for (int i = 0; i < 32; ++i) {
        const int dword = 16 * v + 2 * (i / 4) + i % 2;
        index[v][i] = static_cast<uint16_t>(dword % 6 * 8 + dword / 6);
      }
  }
};
constexpr row_word_table kRowWords;

static inline __attribute__((always_inline)) __m128i load_block(const mx_lines& x, int64_t line, int64_t block) {
  if (line >= x.count) return _mm_setzero_si128();
  return _mm_loadu_si128(
      reinterpret_cast<const __m128i*>(x.codes + line * x.codes_stride + block * kBlockCodeBytes));
}

static inline __attribute__((always_inline)) __m512i four_lines(const mx_lines& x, int64_t line, int64_t block) {
  __m512i v = _mm512_castsi128_si512(load_block(x, line, block));
  v = _mm512_inserti32x4(v, load_block(x, line + 1, block), 1);
  v = _mm512_inserti32x4(v, load_block(x, line + 2, block), 2);
  return _mm512_inserti32x4(v, load_block(x, line + 3, block), 3);
}

// Four blocks of line, of which n are there, 16 bytes each.
static inline __attribute__((always_inline)) __m512i four_blocks(const mx_lines& x, int64_t line, int64_t block,
                                                                 int64_t n) {
  if (line >= x.count) return _mm512_setzero_si512();
  const __mmask8 present = static_cast<__mmask8>((1u << (2 * n)) - 1);
  return _mm512_maskz_loadu_epi64(present, x.codes + line * x.codes_stride + block * kBlockCodeBytes);
}

// blocks[t] gets, in its four lanes, block t of lines a, b, c, d.
static inline __attribute__((always_inline)) void transpose_lanes(__m512i a, __m512i b, __m512i c, __m512i d,
                                                                  __m512i blocks[4]) {
  const __m512i ab01 = _mm512_shuffle_i64x2(a, b, 0x44), ab23 = _mm512_shuffle_i64x2(a, b, 0xEE);
  const __m512i cd01 = _mm512_shuffle_i64x2(c, d, 0x44), cd23 = _mm512_shuffle_i64x2(c, d, 0xEE);
  blocks[0] = _mm512_shuffle_i64x2(ab01, cd01, 0x88);
  blocks[1] = _mm512_shuffle_i64x2(ab01, cd01, 0xDD);
  blocks[2] = _mm512_shuffle_i64x2(ab23, cd23, 0x88);
  blocks[3] = _mm512_shuffle_i64x2(ab23, cd23, 0xDD);
}

// One block of sixteen columns. lines[j] holds lines j, 4 + j, 8 + j and 12 + j in its four lanes, eight words of four
// codes each. The values go to panel, a step's 128 bytes after those of the one before.
static inline __attribute__((always_inline)) void unpack_columns(const __m512i lines[4], uint8_t* panel) {
  const __m512i table = _mm512_add_epi8(signed_values(), _mm512_set1_epi8(12)), shifts = nibble_shifts(true);
  const __m512i low01 = _mm512_unpacklo_epi16(lines[0], lines[1]), high01 = _mm512_unpackhi_epi16(lines[0], lines[1]);
  const __m512i low23 = _mm512_unpacklo_epi16(lines[2], lines[3]), high23 = _mm512_unpackhi_epi16(lines[2], lines[3]);
  // Lane l, 64-bit half h of steps[i]: step 2i + h of lines 4l .. 4l + 3.
  const __m512i steps[4] = {_mm512_unpacklo_epi32(low01, low23), _mm512_unpackhi_epi32(low01, low23),
                            _mm512_unpacklo_epi32(high01, high23), _mm512_unpackhi_epi32(high01, high23)};
#pragma GCC unroll 8
  for (int s = 0; s < 8; ++s) {
    const __m512i pair = steps[s / 2];
    const __m512i twice = s % 2 == 0 ? _mm512_unpacklo_epi64(pair, pair) : _mm512_unpackhi_epi64(pair, pair);
    _mm512_store_si512(panel + s * 4 * kMxTileColumns,
                       _mm512_permutexvar_epi8(_mm512_multishift_epi64_epi8(shifts, twice), table));
  }
}

// Sums, in lanes 0 to 5, of the values of the six rows of a block of A, dwords 0 to 47 of which are values[0 .. 2]. A
// dword's row is its number modulo 6: twelve dwords of two steps begin at 0, 18 and 36, steps 2 and 5 stand at 12 and
// 30.
static inline __attribute__((always_inline)) __m512i row_sums(const __m512i values[3]) {
  __m512i sums[3];
  for (int v = 0; v < 3; ++v) sums[v] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), _mm512_set1_epi8(1), values[v]);
  const __m512i from_18 = _mm512_alignr_epi32(sums[2], sums[1], 2), from_36 = _mm512_alignr_epi32(sums[2], sums[2], 4);
  const __m512i from_12 = _mm512_alignr_epi32(sums[1], sums[0], 12);
  const __m512i from_30 = _mm512_alignr_epi32(sums[2], sums[1], 14);
  const __m512i pairs = _mm512_add_epi32(_mm512_add_epi32(sums[0], from_18), from_36);
  const __m512i both = _mm512_add_epi32(pairs, _mm512_alignr_epi32(pairs, pairs, 6));
  return _mm512_add_epi32(both, _mm512_add_epi32(from_12, from_30));
}

}  // namespace

scale_range gemm_pack_mx_rows__avx512(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  const __m512i table = signed_values(), shifts = nibble_shifts(false);
  const __m512i two_words = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  memset(nan, 0, kMxTileRows * sizeof(uint32_t));
  scale_extremes seen;
  for (int64_t group = 0; group < x.blocks; group += kScaleGroup) {
    const int64_t n = x.blocks - group < kScaleGroup ? x.blocks - group : kScaleGroup;
    const __m512i words = load_scale_words(x, 0, group, n);
    for (int64_t t = 0; t < n; ++t, panel += kMxRowsBlockBytes) {
      const __m512i rows03 = four_lines(x, 0, group + t);
      const __m512i rows45 = _mm512_inserti32x4(_mm512_castsi128_si512(load_block(x, 4, group + t)),
                                                load_block(x, 5, group + t), 1);
      __m512i values[3];
      for (int v = 0; v < 3; ++v) {
        const __m512i codes = _mm512_permutex2var_epi16(rows03, _mm512_load_si512(kRowWords.index[v]), rows45);
        values[v] = _mm512_permutexvar_epi8(_mm512_multishift_epi64_epi8(shifts, codes), table);
        _mm512_storeu_si512(panel + 64 * v, values[v]);
      }
      const __m512i bias = _mm512_mullo_epi32(row_sums(values), _mm512_set1_epi32(-12));
      const __m512i scale = _mm512_slli_epi32(scale_bytes(x, 0, group, t, words, nan, seen), 23);
      const __m512i pairs = _mm512_permutex2var_epi32(_mm512_add_epi32(scale, bias), two_words, scale);
      uint8_t* const to = panel + 32 * kMxTileRows;
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm512_castsi512_si256(pairs));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 32), _mm512_extracti32x4_epi32(pairs, 2));
    }
  }
  return seen.range();
}

scale_range gemm_pack_mx_columns__avx512(const mx_lines& x, uint8_t* panel, uint32_t* nan) {
  const __m512i magic = _mm512_set1_epi32(kMxMagic);
  memset(nan, 0, kMxTileColumns * sizeof(uint32_t));
  scale_extremes seen;
  for (int64_t group = 0; group < x.blocks; group += kScaleGroup, panel += kScaleGroup * kMxColumnsBlockBytes) {
    const int64_t n = x.blocks - group < kScaleGroup ? x.blocks - group : kScaleGroup;
    for (int64_t first = 0; first < kMxTileColumns; first += 16) {
      __m512i lines[4][kScaleGroup];
      for (int64_t j = 0; j < 4; ++j)
        transpose_lanes(four_blocks(x, first + j, group, n), four_blocks(x, first + 4 + j, group, n),
                        four_blocks(x, first + 8 + j, group, n), four_blocks(x, first + 12 + j, group, n), lines[j]);
      const __m512i words = load_scale_words(x, first, group, n);
      for (int64_t t = 0; t < n; ++t) {
        uint8_t* const block = panel + t * kMxColumnsBlockBytes;
        const __m512i of_block[4] = {lines[0][t], lines[1][t], lines[2][t], lines[3][t]};
        unpack_columns(of_block, block + 4 * first);
        const __m512i bytes = scale_bytes(x, first, group, t, words, nan, seen);
        const __m512i exponents = _mm512_slli_epi32(_mm512_sub_epi32(bytes, _mm512_set1_epi32(256)), 23);
        _mm512_store_si512(block + 32 * kMxTileColumns + 4 * first, _mm512_add_epi32(exponents, magic));
      }
    }
  }
  return seen.range();
}

}  // namespace adahop::reference::simd
