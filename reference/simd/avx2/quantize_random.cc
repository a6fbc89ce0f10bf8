// FP32 to MXFP4 with random words, stochastic and as AMD's host model of gfx950 has it, for AVX2. Implements SPEC
// 5.1-5.10, 5.13, 5.14, 5.17-5.21.
//
// The quotient |v| / scale is one multiplication by 2^(127 - byte): exact, or so far below 2^-32 that every rounding here
// gives 0 for it.
#include "reference/simd/avx2/quantize_f32_pair.h"
#include "reference/simd/avx2/quantize_words.h"

namespace adahop::reference::simd {
namespace {

[[gnu::always_inline]] inline __m256i unsigned_greater(__m256i a, __m256i b) {
  const __m256i top = _mm256_set1_epi32(INT32_MIN);
  return _mm256_cmpgt_epi32(_mm256_xor_si256(a, top), _mm256_xor_si256(b, top));
}

/// floor(x) as an unsigned integer, of 0 <= x < 2^32.
[[gnu::always_inline]] inline __m256i floor_of(__m256 x) {
  // From 2^31 on taking it away is exact, and below the conversion itself is.
  const __m256 two_31 = _mm256_set1_ps(0x1p31f);
  const __m256 large = _mm256_cmp_ps(x, two_31, _CMP_GE_OQ);
  const __m256i rest = _mm256_cvttps_epi32(_mm256_sub_ps(x, _mm256_and_ps(large, two_31)));
  return _mm256_xor_si256(rest, _mm256_slli_epi32(_mm256_castps_si256(large), 31));
}

/// Stochastic rounding of a run (SPEC 5.17).
class stochastic {
 public:
  explicit stochastic(const random_words& random)
      : keys_(keys_of(random.seed)), position_(random.position), dropped_(_mm_cvtsi32_si128(32 - random.bits)) {}

  /// The codes without sign of the eight quotients from element `index` on.
  [[gnu::always_inline]] __m256i magnitudes(__m256 quotient, int64_t index) const {
    const __m256i words = philox_words(keys_, position_ + static_cast<uint64_t>(index), 0);
    // The largest code whose value is at most the quotient: from 1 on the exponent and the first bit of the mantissa, half
    // steps of an octave; 0.5 and 0.75 are two such steps for one code.
    const __m256i half_steps =
        _mm256_sub_epi32(_mm256_srli_epi32(_mm256_castps_si256(quotient), 22), _mm256_set1_epi32(0x3F000000 >> 22));
    const __m256i from_half = _mm256_cmpgt_epi32(half_steps, _mm256_set1_epi32(-1));
    const __m256i low = _mm256_max_epi32(half_steps, _mm256_abs_epi32(from_half));
    // (quotient - value) / gap * 2^32: the difference of close numbers and the powers of two are exact. From 6 on, 0.
    const __m256 value = _mm256_permutevar8x32_ps(_mm256_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6), low);
    const __m256 per_gap = _mm256_permutevar8x32_ps(
        _mm256_setr_ps(0x1p33f, 0x1p33f, 0x1p33f, 0x1p33f, 0x1p32f, 0x1p32f, 0x1p31f, 0), low);
    const __m256i fraction = floor_of(_mm256_mul_ps(_mm256_sub_ps(quotient, value), per_gap));
    // floor(x * 2^bits) is floor(x * 2^32) without its last bits.
    const __m256i up = unsigned_greater(_mm256_srl_epi32(fraction, dropped_), _mm256_srl_epi32(words, dropped_));
    return _mm256_sub_epi32(low, up);
  }

 private:
  philox_keys keys_;
  uint64_t position_;
  __m128i dropped_;
};

/// Rounding of a run as gfx950 is modelled (SPEC 5.20, 5.21).
class gfx950_sr {
 public:
  explicit gfx950_sr(const random_words& random) : keys_(keys_of(random.seed)), position_(random.position) {}

  [[gnu::always_inline]] __m256i magnitudes(__m256 quotient, int64_t index) const {
    // Words of four pairs: element 2 i takes r, element 2 i + 1 the next of the generator.
    const uint64_t pair = position_ + static_cast<uint64_t>(index) / 2;
    const __m256i counters =
        _mm256_add_epi64(_mm256_set1_epi64x(static_cast<int64_t>(pair)), _mm256_setr_epi64x(0, 1, 2, 3));
    const __m256i r = philox_word(keys_, counters, _mm256_set1_epi64x(2));
    const __m256i fold = _mm256_and_si256(_mm256_srai_epi32(r, 31), _mm256_set1_epi32(197));
    const __m256i next = _mm256_xor_si256(_mm256_slli_epi32(r, 1), fold);
    const __m256i words = _mm256_blend_epi32(r, _mm256_slli_epi64(next, 32), 0xAA);
    // The quotient as an E2M1 pattern with 22 more bits: below 1 a fixed-point number, from 1 on its own exponent field, 1
    // for 1. Either is not below the other's value only where it is the right one, or both are equal.
    const __m256i fixed = _mm256_cvttps_epi32(_mm256_mul_ps(quotient, _mm256_set1_ps(0x1p23f)));
    const __m256i field = _mm256_sub_epi32(_mm256_castps_si256(quotient), _mm256_set1_epi32(126 << 23));
    const __m256i below_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(127 << 23), _mm256_castps_si256(quotient));
    const __m256i pattern = _mm256_blendv_epi8(field, fixed, below_one);
    const __m256i code = _mm256_srli_epi32(_mm256_add_epi32(pattern, _mm256_srli_epi32(words, 10)), 22);
    return _mm256_min_epi32(code, _mm256_set1_epi32(7));
  }

 private:
  philox_keys keys_;
  uint64_t position_;
};

/// The largest magnitude of a block, as bits, in every lane.
[[gnu::always_inline]] inline __m256i amax_of(const __m256 (&magnitude)[4]) {
  __m256i amax = largest_of(magnitude);
  amax = _mm256_max_epi32(amax, _mm256_permute2x128_si256(amax, amax, 0x01));
  amax = _mm256_max_epi32(amax, _mm256_shuffle_epi32(amax, 0x4E));
  return _mm256_max_epi32(amax, _mm256_shuffle_epi32(amax, 0xB1));
}

template <class Rounding>
[[gnu::always_inline]] inline void round_block(const scale_rule& rule, const Rounding& rounding, const float* x,
                                               int64_t first, uint8_t* codes, uint8_t* scale, run_report& report) {
  const f32_block block = load_f32_block(x);
  __m256 magnitude[4];
  for (int i = 0; i < 4; ++i)
    magnitude[i] = _mm256_and_ps(block.v[i], _mm256_castsi256_ps(_mm256_set1_epi32(0x7FFFFFFF)));
  const __m256i amax = amax_of(magnitude);
  if (_mm_cvtsi128_si32(_mm256_castsi256_si128(amax)) > 0x7F7FFFFF) [[unlikely]] {  // SPEC 5.14
    if (report.first_nonfinite < 0) report.first_nonfinite = first + first_nonfinite(x);
    memset(codes, 0, kCodeBytes);
    *scale = 0xFF;
    return;
  }
  const __m256i byte = scale_bytes(rule, amax);
  *scale = static_cast<uint8_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(byte)));
  // 2^(127 - byte); bytes are 0 to 253
  const __m256 factor = _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x7F000000), _mm256_slli_epi32(byte, 23)));
  __m256i code[4];
  for (int i = 0; i < 4; ++i) {
    const __m256 quotient = _mm256_mul_ps(magnitude[i], factor);
    const __m256 clipped = _mm256_cmp_ps(quotient, _mm256_set1_ps(6), _CMP_GT_OQ);
    report.clipped += __builtin_popcount(static_cast<unsigned>(_mm256_movemask_ps(clipped)));
    const __m256i sign = _mm256_and_si256(_mm256_srli_epi32(_mm256_castps_si256(block.v[i]), 28), _mm256_set1_epi32(8));
    code[i] = _mm256_or_si256(rounding.magnitudes(quotient, first + 8 * i), sign);
  }
  const __m256i bytes =
      _mm256_packus_epi16(_mm256_packs_epi32(code[0], code[1]), _mm256_packs_epi32(code[2], code[3]));
  const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(0x1001));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(codes), _mm256_castsi256_si128(codes_of_split_groups(pairs, pairs)));
}

template <class Rounding>
[[gnu::always_inline]] inline run_report round_run(const scale_choice& how, const Rounding& rounding, const float* x,
                                                   int64_t blocks, uint8_t* codes, uint8_t* scales) {
  const scale_rule rule = rule_of(how);
  run_report report{0, -1};
  for (int64_t i = 0; i < blocks; ++i)
    round_block(rule, rounding, x + kBlock * i, kBlock * i, codes + kCodeBytes * i, scales + i, report);
  return report;
}

}  // namespace

run_report quantize_stochastic__avx2(const scale_choice& how, const random_words& random, const float* x,
                                     int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return round_run(how, stochastic(random), x, blocks, codes, scales);
}

run_report quantize_gfx950_sr__avx2(const scale_choice& how, const random_words& random, const float* x, int64_t blocks,
                                    uint8_t* codes, uint8_t* scales) {
  return round_run(how, gfx950_sr(random), x, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
