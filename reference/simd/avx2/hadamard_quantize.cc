// The Hadamard transform of size 32 and quantization of its output under RNE in one pass, for AVX2. Implements SPEC
// 6.1-6.9.
#include "reference/simd/avx2/hadamard_butterflies.h"
#include "reference/simd/avx2/quantize_run.h"

namespace adahop::reference::simd {
namespace {

/// Even and odd transformed values, as transform_even_odd leaves them, rounded to BF16. A NaN stays one, whatever its
/// payload, since the sum saturates at 0x7FFF; the quantizer only asks whether there is one.
template <bool kSplit>
[[gnu::always_inline]] inline bf16_block<kSplit> round_block(const __m256 (&v)[4]) {
  bf16_block<kSplit> block;
  for (int i = 0; i < 2; ++i) {
    const bf16_parts parts = bf16_parts_of(v[2 * i], v[2 * i + 1]);
    const __m256i magnitude = _mm256_and_si256(parts.upper, _mm256_set1_epi16(0x7FFF));
    block.magnitude[i] = _mm256_adds_epi16(magnitude, parts.carry);
    block.sign[i] = parts.upper;
  }
  return block;
}

[[gnu::always_inline]] inline __m256i load_words(const uint16_t* x) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x));
}

}  // namespace

run_report hadamard_quantize_f32__avx2(const scale_choice& how, bool round_bf16, const float* x, int64_t blocks,
                                       uint8_t* codes, uint8_t* scales) {
  const auto rounded = [x](int64_t block) __attribute__((always_inline)) {
    const f32_block in = load_f32_block(x + kBlock * block);
    __m256 v[4];
    split_pairs(in.v[0], in.v[1], v[0], v[1]);
    split_pairs(in.v[2], in.v[3], v[2], v[3]);
    transform_even_odd<kBlock, true>(v);
    return round_block<true>(v);
  };
  const auto unrounded = [x](int64_t block) __attribute__((always_inline)) {
    f32_block values = load_f32_block(x + kBlock * block);
    transform_in_order<kBlock>(values.v);
    return values;
  };
  return round_bf16 ? quantize_run(how, rounded, blocks, codes, scales)
                    : quantize_run(how, unrounded, blocks, codes, scales);
}

run_report hadamard_quantize_bf16__avx2(const scale_choice& how, bool round_bf16, const uint16_t* x, int64_t blocks,
                                        uint8_t* codes, uint8_t* scales) {
  const auto rounded = [x](int64_t block) __attribute__((always_inline)) {
    __m256 v[4];
    split_pairs(load_words(x + kBlock * block), v[0], v[1]);
    split_pairs(load_words(x + kBlock * block + 16), v[2], v[3]);
    transform_even_odd<kBlock, false>(v);
    return round_block<false>(v);
  };
  const auto unrounded = [x](int64_t block) __attribute__((always_inline)) {
    f32_block values;
    for (int i = 0; i < 4; ++i) {
      const __m128i* const at = reinterpret_cast<const __m128i*>(x + kBlock * block + 8 * i);
      values.v[i] = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(at)), 16));
    }
    transform_in_order<kBlock>(values.v);
    return values;
  };
  return round_bf16 ? quantize_run(how, rounded, blocks, codes, scales)
                    : quantize_run(how, unrounded, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
