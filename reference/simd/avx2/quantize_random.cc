// FP32 to MXFP4 with random words, stochastic and as AMD's host model of gfx950 has it, for AVX2. Implements SPEC
// 5.1-5.10, 5.13, 5.14, 5.17-5.21.
//
// The quotient |v| / scale is one multiplication by 2^(127 - byte): exact, or below 2^-126, where every rounding here
// gives 0 whatever it is.
#include "reference/simd/avx2/quantize_run.h"
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

  /// The words of the 32 elements from `index` on.
  [[gnu::always_inline]] void words(int64_t index, __m256i (&word)[4]) const {
    const uint64_t base = position_ + static_cast<uint64_t>(index);
    for (int half = 0; half < 2; ++half) {
      const int64_t first = 16 * half;
      __m256i c[4] = {counters(base, first, 2), counters(base, first + 1, 2), counters(base, first + 8, 2),
                      counters(base, first + 9, 2)};
      philox_words(keys_, _mm256_setzero_si256(), c);
      word[2 * half] = interleave(c[0], c[1]);
      word[2 * half + 1] = interleave(c[2], c[3]);
    }
  }

  /// The codes without sign of eight quotients.
  [[gnu::always_inline]] __m256i magnitudes(__m256 quotient, __m256i word) const {
    // The largest code whose value is at most the quotient: from 1 on the exponent and the first bit of the mantissa,
    // steps of half an octave from code to code; 0.5 and 0.75 are two such steps with one code.
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
    const __m256i up = unsigned_greater(_mm256_srl_epi32(fraction, dropped_), _mm256_srl_epi32(word, dropped_));
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

  /// Element 2 i takes the word r of pair i, element 2 i + 1 the next one of the generator.
  [[gnu::always_inline]] void words(int64_t index, __m256i (&word)[4]) const {
    const uint64_t base = position_ + static_cast<uint64_t>(index) / 2;
    __m256i r[4] = {counters(base, 0, 1), counters(base, 4, 1), counters(base, 8, 1), counters(base, 12, 1)};
    philox_words(keys_, _mm256_set1_epi64x(2), r);
    for (int i = 0; i < 4; ++i) {
      const __m256i fold = _mm256_and_si256(_mm256_srai_epi32(r[i], 31), _mm256_set1_epi32(197));
      word[i] = interleave(r[i], _mm256_xor_si256(_mm256_slli_epi32(r[i], 1), fold));
    }
  }

  [[gnu::always_inline]] __m256i magnitudes(__m256 quotient, __m256i word) const {
    // The quotient as an E2M1 pattern with 22 more bits: below 1 a fixed-point number, which drops bits, from 1 on its
    // own bits with the exponent field 1 for 1. A carry runs into that field. From 6 on the sum is 7 or more.
    const __m256i fixed = _mm256_cvttps_epi32(_mm256_mul_ps(quotient, _mm256_set1_ps(0x1p23f)));
    const __m256i field = _mm256_sub_epi32(_mm256_castps_si256(quotient), _mm256_set1_epi32(126 << 23));
    const __m256i below_one = _mm256_cmpgt_epi32(_mm256_set1_epi32(127 << 23), _mm256_castps_si256(quotient));
    const __m256i pattern = _mm256_blendv_epi8(field, fixed, below_one);
    const __m256i code = _mm256_srli_epi32(_mm256_add_epi32(pattern, _mm256_srli_epi32(word, 10)), 22);
    return _mm256_min_epi32(code, _mm256_set1_epi32(7));
  }

 private:
  philox_keys keys_;
  uint64_t position_;
};

/// What quantize_run asks for.
template <class Rounding>
struct f32_by_words {
  Rounding rounding;

  [[gnu::always_inline]] uint32_t eight(const float* x, int64_t first, __m256i, __m256i bytes, uint8_t* codes) const {
    alignas(32) float factor[8];  // 2^(127 - byte)
    const __m256i factors = _mm256_sub_epi32(_mm256_set1_epi32(0x7F000000), _mm256_slli_epi32(bytes, 23));
    _mm256_store_si256(reinterpret_cast<__m256i*>(factor), factors);
    for (int i = 0; i < 8; ++i) {
      const __m256i words = encode(x + kBlock * i, first + kBlock * i, _mm256_broadcast_ss(factor + i));
      const __m256i joined = join_groups(words, words);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(codes + kCodeBytes * i), _mm256_castsi256_si128(joined));
    }
    return 0;
  }
  [[gnu::always_inline]] void again(const float*, uint8_t, uint8_t*) const {}

 private:
  /// The codes of a block as words of two, in the order of encode_block.
  [[gnu::always_inline]] __m256i encode(const float* x, int64_t first, __m256 factor) const {
    __m256i word[4], code[4];
    rounding.words(first, word);
    for (int i = 0; i < 4; ++i) {
      const __m256 v = _mm256_loadu_ps(x + 8 * i);
      const __m256i sign = _mm256_and_si256(_mm256_srli_epi32(_mm256_castps_si256(v), 28), _mm256_set1_epi32(8));
      const __m256 quotient = _mm256_mul_ps(magnitude_of(v), factor);
      code[i] = _mm256_or_si256(rounding.magnitudes(quotient, word[i]), sign);
    }
    const __m256i bytes =
        _mm256_packus_epi16(_mm256_packs_epi32(code[0], code[1]), _mm256_packs_epi32(code[2], code[3]));
    return _mm256_maddubs_epi16(bytes, _mm256_set1_epi16(0x1001));
  }
};

template <class Rounding>
[[gnu::always_inline]] inline run_report round_run(const scale_choice& how, const Rounding& rounding, const float* x,
                                                   int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return quantize_run(how, f32_by_words<Rounding>{rounding}, x, blocks, codes, scales);
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
