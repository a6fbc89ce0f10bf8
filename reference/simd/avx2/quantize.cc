// FP32 and BF16 to MXFP4 under RNE, for AVX2. Implements SPEC 5.1-5.14.
#include "reference/simd/avx2/quantize_run.h"

namespace adahop::reference::simd {

run_report quantize_f32__avx2(const scale_choice& how, const float* x, int64_t blocks, uint8_t* codes,
                              uint8_t* scales) {
  const auto source = [x](int64_t block) __attribute__((always_inline)) { return load_f32_block(x + kBlock * block); };
  return quantize_run(how, source, blocks, codes, scales);
}

run_report quantize_bf16__avx2(const scale_choice& how, const uint16_t* x, int64_t blocks, uint8_t* codes,
                               uint8_t* scales) {
  const auto source = [x](int64_t block) __attribute__((always_inline)) {
    const __m256i* const at = reinterpret_cast<const __m256i*>(x + kBlock * block);
    const __m256i low = _mm256_loadu_si256(at), high = _mm256_loadu_si256(at + 1), mask = _mm256_set1_epi16(0x7FFF);
    return bf16_block<false>{{_mm256_and_si256(low, mask), _mm256_and_si256(high, mask)}, {low, high}};
  };
  return quantize_run(how, source, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
