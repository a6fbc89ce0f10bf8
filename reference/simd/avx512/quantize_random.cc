// FP32 to MXFP4 by random words: stochastic rounding, and AMD's model of gfx950's. 16 elements at a time, in integers.
// For AVX-512. Implements SPEC 5.1-5.9, 5.12-5.14, 5.17-5.21.
#include <immintrin.h>

#include "reference/simd/avx512/quantize_philox.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBlock = 32, kBlockBytes = 16, kLanes = 16;

// What is added to the bits of amax before the shift that leaves the exponent, in the order of adahop_scale_rule:
// floor, ceil, even, rceil.
constexpr uint32_t kRound[4] = {0, 0x7FFFFF, 0x200000, 0x3FFFFF};

/// 16 elements of a block beside the scale 2^(byte - 127), byte at least 3.
struct magnitudes {
  __m512i bits;         // of |v|
  __m512i significand;  // |v| = significand * 2^(exponent - 150)
  __m512i below_one;    // byte - exponent: |v| / scale = significand * 2^(-23 - below_one)
  __m512i over_one;     // bits of |v| / scale less those of 1, meant where below_one <= 0
  __mmask16 one;        // |v| / scale >= 1
  __mmask16 six;        // |v| / scale >= 6
};

/// The bits of 6 scale, or of a NaN where that is above all FP32 values, as no finite |v| then reaches it.
[[gnu::always_inline]] inline __m512i six_of(int byte) { return _mm512_set1_epi32(((byte + 2) << 23) | 0x400000); }

[[gnu::always_inline]] inline magnitudes magnitudes_of(__m512i v, int byte) {
  magnitudes q;
  q.bits = _mm512_and_si512(v, _mm512_set1_epi32(0x7FFFFFFF));
  const __m512i field = _mm512_srli_epi32(q.bits, 23), scale = _mm512_set1_epi32(byte);
  const __m512i mantissa = _mm512_and_si512(q.bits, _mm512_set1_epi32(0x7FFFFF));
  q.significand =
      _mm512_mask_or_epi32(mantissa, _mm512_test_epi32_mask(field, field), mantissa, _mm512_set1_epi32(0x800000));
  q.below_one = _mm512_sub_epi32(scale, _mm512_max_epi32(field, _mm512_set1_epi32(1)));
  q.over_one = _mm512_sub_epi32(q.bits, _mm512_slli_epi32(scale, 23));
  q.one = _mm512_cmpge_epu32_mask(q.bits, _mm512_slli_epi32(scale, 23));
  q.six = _mm512_cmpge_epu32_mask(q.bits, six_of(byte));
  return q;
}

/// Low dwords of even and of odd elements, as dwords in order.
[[gnu::always_inline]] inline __m512i interleaved(__m512i even, __m512i odd) {
  return _mm512_mask_shuffle_epi32(even, 0xAAAA, odd, _MM_PERM_CCAA);
}

[[gnu::always_inline]] inline __m512i positions(uint64_t first, int stride) {
  const __m512i steps = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  return _mm512_add_epi64(_mm512_set1_epi64(static_cast<long long>(first)),
                          stride == 2 ? _mm512_add_epi64(steps, steps) : steps);
}

/// Stochastic rounding (SPEC 5.17, 5.18). floor((a - lo) 2^bits / (hi - lo)) is the upper `bits` bits of the same with
/// 32.
struct stochastic {
  const random_words& random;
  philox_keys keys{random.seed};
  static constexpr int kAtOnce = 2;

  /// The words of the elements of kAtOnce blocks.
  void words(int64_t block, __m512i (&out)[2 * kAtOnce]) const {
    __m512i at[8];
    for (int i = 0; i < 8; ++i)
      at[i] = positions(random.position + static_cast<uint64_t>(kBlock * block + kLanes * (i / 2) + i % 2), 2);
    philox_word0(keys, at, 0, at);
    for (int i = 0; i < 4; ++i) out[i] = interleaved(at[2 * i], at[2 * i + 1]);
  }

  /// Codes without sign.
  __m512i codes(const magnitudes& q, __m512i words) const {
    // From 1 on the grid has one mantissa bit: the code is the exponent and that bit, the fraction the other 22.
    __m512i low = _mm512_add_epi32(_mm512_srli_epi32(q.over_one, 22), _mm512_set1_epi32(2));
    __m512i fraction = _mm512_slli_epi32(q.bits, 10);
    // Below it the gap is 1/2 and 2 a = significand 2^(-22 - below_one): 1 + fraction for a >= 1/2, else the fraction,
    // which in units of 2^-32 is the significand shifted left by 10 - below_one. Counts above 31 give 0, as they
    // should.
    const __mmask16 below = static_cast<__mmask16>(~q.one);
    const __mmask16 half = _mm512_mask_cmpeq_epi32_mask(below, q.below_one, _mm512_set1_epi32(1));
    low = _mm512_mask_mov_epi32(low, below, _mm512_maskz_set1_epi32(half, 1));
    const __m512i small =
        _mm512_srlv_epi32(_mm512_slli_epi32(q.significand, 8), _mm512_sub_epi32(q.below_one, _mm512_set1_epi32(2)));
    fraction = _mm512_mask_mov_epi32(fraction, below, small);
    fraction = _mm512_mask_slli_epi32(fraction, half, q.significand, 9);
    const __m128i shift = _mm_cvtsi32_si128(32 - random.bits);
    const __mmask16 up = _mm512_cmplt_epu32_mask(_mm512_srl_epi32(words, shift), _mm512_srl_epi32(fraction, shift));
    const __m512i code = _mm512_mask_add_epi32(low, up, low, _mm512_set1_epi32(1));
    return _mm512_mask_mov_epi32(code, q.six, _mm512_set1_epi32(7));
  }
};

/// gfx950's rounding (SPEC 5.20, 5.21).
struct gfx950_sr {
  const random_words& random;
  philox_keys keys{random.seed};
  static constexpr int kAtOnce = 4;

  /// The words of the elements of kAtOnce blocks.
  void words(int64_t block, __m512i (&out)[2 * kAtOnce]) const {
    __m512i at[2 * kAtOnce];
    for (int i = 0; i < 2 * kAtOnce; ++i)
      at[i] = positions(random.position + static_cast<uint64_t>((kBlock * block + kLanes * i) / 2), 1);
    philox_word0(keys, at, 2, at);
    for (int i = 0; i < 2 * kAtOnce; ++i) {
      const __m512i twice = _mm512_add_epi32(at[i], at[i]);
      out[i] =
          interleaved(at[i], _mm512_mask_xor_epi32(twice, _mm512_movepi32_mask(at[i]), twice, _mm512_set1_epi32(197)));
    }
  }

  __m512i codes(const magnitudes& q, __m512i words) const {
    // Exponent field k + 1 for 2^k above 23 mantissa bits, below 1 the value in units of 2^-23.
    const __m512i small = _mm512_srlv_epi32(q.significand, q.below_one);
    const __m512i pattern = _mm512_mask_add_epi32(small, q.one, q.over_one, _mm512_set1_epi32(0x800000));
    const __m512i sum = _mm512_add_epi32(pattern, _mm512_srli_epi32(words, 10));
    const __m512i code = _mm512_min_epu32(_mm512_srli_epi32(sum, 22), _mm512_set1_epi32(7));
    return _mm512_mask_mov_epi32(code, q.six, _mm512_set1_epi32(7));
  }
};

/// Eight bytes of two codes each, from codes of which bit 3 may be set already.
[[gnu::always_inline]] inline __m128i joined(__m512i codes) {
  return _mm512_cvtepi64_epi8(_mm512_or_si512(codes, _mm512_srli_epi64(codes, 28)));
}

/// A block to be encoded, by a scale byte of at least 3; byte 0xFF if it holds a NaN or Inf.
struct scaled_block {
  __m512i v[2];
  int byte;
};

[[gnu::always_inline]] inline scaled_block choose_scale(const scale_choice& how, const float* x, int64_t block,
                                                        uint8_t* scales, run_report& report) {
  constexpr uint32_t kInf = 0x7F800000;
  scaled_block b = {{_mm512_loadu_si512(x + kBlock * block), _mm512_loadu_si512(x + kBlock * block + kLanes)}, 0xFF};
  const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000u)), inf = _mm512_set1_epi32(kInf);
  const __m512i magnitude[2] = {_mm512_andnot_si512(sign, b.v[0]), _mm512_andnot_si512(sign, b.v[1])};
  const uint32_t amax = _mm512_reduce_max_epu32(_mm512_max_epu32(magnitude[0], magnitude[1]));
  scales[block] = 0xFF;
  if (amax >= kInf) {
    const uint32_t where =
        _mm512_cmpge_epu32_mask(magnitude[0], inf) | uint32_t{_mm512_cmpge_epu32_mask(magnitude[1], inf)} << kLanes;
    if (report.first_nonfinite < 0) report.first_nonfinite = kBlock * block + __builtin_ctz(where);
    return b;
  }
  b.byte = static_cast<int>((amax + kRound[how.rule & 3]) >> 23) - 2;
  if (b.byte < how.min_scale_byte) b.byte = how.min_scale_byte;
  scales[block] = static_cast<uint8_t>(b.byte);
  if (b.byte < 3) {
    // Scale or values can be subnormal: 2^64 times both, exactly, as amax is below 2^-121.
    for (int i = 0; i < 2; ++i)
      b.v[i] = _mm512_castps_si512(_mm512_mul_ps(_mm512_castsi512_ps(b.v[i]), _mm512_set1_ps(0x1p64f)));
    b.byte += 64;
  }
  return b;
}

/// Writes the 16 bytes of codes; returns the number of clipped elements.
template <class Rounding>
[[gnu::always_inline]] inline int encode(const scaled_block& b, const Rounding& rounding, const __m512i* words,
                                         uint8_t* codes) {
  __m128i half[2] = {_mm_setzero_si128(), _mm_setzero_si128()};
  int clipped = 0;
  for (int i = 0; i < 2 && b.byte != 0xFF; ++i) {
    const magnitudes q = magnitudes_of(b.v[i], b.byte);
    const __m512i code = rounding.codes(q, words[i]);
    half[i] = joined(_mm512_or_si512(code, _mm512_slli_epi32(_mm512_srli_epi32(b.v[i], 31), 3)));
    clipped += __builtin_popcount(_mm512_cmpgt_epu32_mask(q.bits, six_of(b.byte)));
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(codes), _mm_unpacklo_epi64(half[0], half[1]));
  return clipped;
}

template <class Rounding>
[[gnu::always_inline]] inline run_report run(const scale_choice& how, const Rounding& rounding, const float* x,
                                             int64_t blocks, uint8_t* codes, uint8_t* scales) {
  run_report report{0, -1};
  for (int64_t first = 0; first < blocks; first += Rounding::kAtOnce) {
    const int count = blocks - first < Rounding::kAtOnce ? static_cast<int>(blocks - first) : Rounding::kAtOnce;
    scaled_block b[Rounding::kAtOnce];
    __m512i words[2 * Rounding::kAtOnce];
    for (int i = 0; i < count; ++i) b[i] = choose_scale(how, x, first + i, scales, report);
    rounding.words(first, words);
    for (int i = 0; i < count; ++i)
      report.clipped += encode(b[i], rounding, words + 2 * i, codes + kBlockBytes * (first + i));
  }
  return report;
}

}  // namespace

run_report quantize_stochastic__avx512(const scale_choice& how, const random_words& random, const float* x,
                                       int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return run(how, stochastic{random}, x, blocks, codes, scales);
}

run_report quantize_gfx950_sr__avx512(const scale_choice& how, const random_words& random, const float* x,
                                      int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return run(how, gfx950_sr{random}, x, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
