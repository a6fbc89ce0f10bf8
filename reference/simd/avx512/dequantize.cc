// Blocks of MXFP4 back to FP32 or BF16: sixteen products of the block's scale, then a lookup. For AVX-512. Implements
// SPEC 2.5, 2.6, 5.10.
#include <immintrin.h>

#include "reference/simd/avx512/prefetch.h"
#include "reference/simd/avx512/streaming_store.h"
#include "reference/simd/kernels.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBlock = 32, kBlockBytes = 16, kBatch = 16;

/// The scales of up to kBatch blocks as FP32: 2^-127 is the subnormal 0x00400000, byte 0xFF the canonical NaN.
[[gnu::always_inline]] inline __m512 scales_of(const uint8_t* bytes, int count) {
  const __mmask16 present = static_cast<__mmask16>(_bzhi_u32(0xFFFF, static_cast<unsigned>(count)));
  const __m512i fields = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(present, bytes));
  __m512i bits = _mm512_slli_epi32(fields, 23);
  bits = _mm512_mask_mov_epi32(bits, _mm512_testn_epi32_mask(fields, fields), _mm512_set1_epi32(0x00400000));
  bits = _mm512_mask_mov_epi32(bits, _mm512_cmpeq_epi32_mask(fields, _mm512_set1_epi32(0xFF)),
                               _mm512_set1_epi32(0x7FC00000));
  return _mm512_castsi512_ps(bits);
}

/// The values of the 16 codes under a scale. A product is exact, but for overflow, which is Inf, and NaN, which stays
/// the canonical one: a quiet NaN operand comes out as it is.
[[gnu::always_inline]] inline __m512 values_of(float scale) {
  const __m512 codes = _mm512_set_ps(-6.0f, -4.0f, -3.0f, -2.0f, -1.5f, -1.0f, -0.5f, -0.0f,  //
                                     6.0f, 4.0f, 3.0f, 2.0f, 1.5f, 1.0f, 0.5f, 0.0f);
  return _mm512_mul_ps(codes, _mm512_set1_ps(scale));
}

/// In dword i, from a copy of 16 codes in each qword: code i in the low bits, of which a lookup of 16 uses 4.
[[gnu::always_inline]] inline __m512i one_a_dword(__m512i codes) {
  const __m512i shift = _mm512_set_epi64(0x3C00000038, 0x3400000030, 0x2C00000028, 0x2400000020,  //
                                         0x1C00000018, 0x1400000010, 0x0C00000008, 0x0400000000);
  return _mm512_multishift_epi64_epi8(shift, codes);
}

[[gnu::always_inline]] inline long long eight_bytes(const uint8_t* from) {
  long long v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

[[gnu::always_inline]] inline void store_block(store_kind kind, const uint8_t* codes, float scale, float* out) {
  const __m512 values = values_of(scale);
  __m512i halves[2];
  for (int i = 0; i < 2; ++i) {
    const __m512i index = one_a_dword(_mm512_set1_epi64(eight_bytes(codes + 8 * i)));
    halves[i] = _mm512_castps_si512(_mm512_permutexvar_ps(index, values));
  }
  store_all(kind, halves, out);
}

[[gnu::always_inline]] inline void store_block(store_kind kind, const uint8_t* codes, float scale, uint16_t* out) {
  // The upper halves of the 16 values, twice, as a lookup of 32 uses 5 bits: the products have one mantissa bit, and
  // even 2^-128 is a BF16.
  const __m512i upper = _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1,  //
                                         31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);
  const __m512i values = _mm512_permutexvar_epi16(upper, _mm512_castps_si512(values_of(scale)));
  // Codes 0 to 15 in each of the lower four qwords, 16 to 31 in the others; qword q needs four from 4 (q % 4) on.
  const __m512i both = _mm512_mask_set1_epi64(_mm512_set1_epi64(eight_bytes(codes)), 0xF0, eight_bytes(codes + 8));
  const __m512i shift =
      _mm512_set_epi64(0x003C003800340030, 0x002C002800240020, 0x001C001800140010, 0x000C000800040000,
                       0x003C003800340030, 0x002C002800240020, 0x001C001800140010, 0x000C000800040000);
  const __m512i block[1] = {_mm512_permutexvar_epi16(_mm512_multishift_epi64_epi8(shift, both), values)};
  store_all(kind, block, out);
}

template <class Out>
[[gnu::always_inline]] inline void run(const uint8_t* codes, const uint8_t* scales, int64_t blocks, Out* out,
                                       bool stream) {
  const store_kind kind = store_kind_of(out, stream);
  for (int64_t first = 0; first < blocks; first += kBatch) {
    const int count = blocks - first < kBatch ? static_cast<int>(blocks - first) : kBatch;
    alignas(64) float scale[kBatch];
    _mm512_store_ps(scale, scales_of(scales + first, count));
    prefetch_ahead<kBatch * kBlockBytes>(codes + kBlockBytes * first);
    for (int i = 0; i < count; ++i)
      store_block(kind, codes + kBlockBytes * (first + i), scale[i], out + kBlock * (first + i));
  }
  order_stores(kind);
}

}  // namespace

void dequantize_f32__avx512(const uint8_t* codes, const uint8_t* scales, int64_t blocks, float* out, bool stream) {
  run(codes, scales, blocks, out, stream);
}

void dequantize_bf16__avx512(const uint8_t* codes, const uint8_t* scales, int64_t blocks, uint16_t* out, bool stream) {
  run(codes, scales, blocks, out, stream);
}

}  // namespace adahop::reference::simd
