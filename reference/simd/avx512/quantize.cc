// FP32 and BF16 to MXFP4 under RNE. For AVX-512. Implements SPEC 5.1-5.14.
#include "reference/simd/avx512/quantize_run.h"

namespace adahop::reference::simd {
namespace {

struct f32_source {
  static constexpr bool kSplit = false, kFlushes = false;
  const float* x;

  const float* at(int64_t block) const { return x + kBlock * block; }

  void values(int64_t block, __m512& low, __m512& high) const {
    low = _mm512_loadu_ps(at(block));
    high = _mm512_loadu_ps(at(block) + 16);
  }
  template <int kCount>
  void keys(int64_t block, __m512i (&out)[kCount]) const {
    for (int i = 0; i < kCount; ++i) {
      __m512 low, high;
      values(block + i, low, high);
      out[i] = keys_of(low, high);
    }
  }
};

struct bf16_source {
  static constexpr bool kSplit = false, kFlushes = false;
  const uint16_t* x;

  const uint16_t* at(int64_t block) const { return x + kBlock * block; }

  __m512i bits(int64_t block) const { return _mm512_loadu_si512(at(block)); }
  void values(int64_t block, __m512& low, __m512& high) const {
    low = extend_bf16<0>(bits(block));
    high = extend_bf16<1>(bits(block));
  }
  template <int kCount>
  void keys(int64_t block, __m512i (&out)[kCount]) const {
    for (int i = 0; i < kCount; ++i) out[i] = keys_of(bits(block + i));
  }
};

}  // namespace

run_report quantize_f32__avx512(const scale_choice& how, const float* x, int64_t blocks, uint8_t* codes,
                                uint8_t* scales) {
  return quantize_run(how, f32_source{x}, blocks, codes, scales);
}

run_report quantize_bf16__avx512(const scale_choice& how, const uint16_t* x, int64_t blocks, uint8_t* codes,
                                 uint8_t* scales) {
  return quantize_run(how, bf16_source{x}, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
