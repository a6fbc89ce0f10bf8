// Hadamard of size 32, its rounding to BF16 where asked for, and quantization under RNE, without a tensor in between.
// For AVX-512. Implements SPEC 6.1-6.9.
#include "reference/simd/avx512/hadamard_butterflies.h"
#include "reference/simd/avx512/quantize_run.h"

namespace adahop::reference::simd {
namespace {

[[gnu::always_inline]] inline void load_block(const float* x, __m512& low, __m512& high) {
  low = _mm512_loadu_ps(x);
  high = _mm512_loadu_ps(x + kLanes);
}

/// A pair of BF16 is an FP32 dword: the even element is its lower half moved up, the odd one its upper half.
[[gnu::always_inline]] inline void load_block(const uint16_t* x, __m512& even, __m512& odd) {
  const __m512i pairs = _mm512_loadu_si512(x);
  even = _mm512_castsi512_ps(_mm512_slli_epi32(pairs, 16));
  odd = _mm512_castsi512_ps(_mm512_and_si512(pairs, _mm512_set1_epi32(static_cast<int>(0xFFFF0000u))));
}

template <bool kRound, class Element>
struct transformed {
  // Keys of rounded values come from the instruction that takes subnormals to zeros. Where scale / 4 is normal both
  // have the code of a zero of their sign and do not clip, nor does what rounds up to 2^-126, and amax is not one of
  // them.
  static constexpr bool kFlushes = kRound;
  static constexpr bool kSplit = sizeof(Element) == sizeof(uint16_t);
  const Element* x;

  const Element* at(int64_t block) const { return x + kBlock * block; }

  template <int kCount>
  void transform_blocks(int64_t block, __m512 (&y)[2 * kCount]) const {
    for (int i = 0; i < kCount; ++i) load_block(at(block + i), y[2 * i], y[2 * i + 1]);
    kSplit ? transform_split_groups(y) : transform_groups<2>(y);
  }
  void values(int64_t block, __m512& low, __m512& high) const {
    __m512 y[2];
    transform_blocks<1>(block, y);
    low = kRound ? rounded_to_bf16(y[0]) : y[0];
    high = kRound ? rounded_to_bf16(y[1]) : y[1];
  }
  template <int kCount>
  void keys(int64_t block, __m512i (&out)[kCount]) const {
    __m512 y[2 * kCount];
    transform_blocks<kCount>(block, y);
    for (int i = 0; i < kCount; ++i)
      out[i] = kRound ? keys_of(bf16_flushed(y[2 * i], y[2 * i + 1])) : keys_of(y[2 * i], y[2 * i + 1]);
  }
};

template <class Element>
[[gnu::always_inline]] inline run_report run(const scale_choice& how, bool round_bf16, const Element* x, int64_t blocks,
                                             uint8_t* codes, uint8_t* scales) {
  if (round_bf16) return quantize_run(how, transformed<true, Element>{x}, blocks, codes, scales);
  return quantize_run(how, transformed<false, Element>{x}, blocks, codes, scales);
}

}  // namespace

run_report hadamard_quantize_f32__avx512(const scale_choice& how, bool round_bf16, const float* x, int64_t blocks,
                                         uint8_t* codes, uint8_t* scales) {
  return run(how, round_bf16, x, blocks, codes, scales);
}

run_report hadamard_quantize_bf16__avx512(const scale_choice& how, bool round_bf16, const uint16_t* x, int64_t blocks,
                                          uint8_t* codes, uint8_t* scales) {
  return run(how, round_bf16, x, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
