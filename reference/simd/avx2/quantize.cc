// FP32 and BF16 to MXFP4 under RNE, for AVX2. Implements SPEC 5.1-5.14.
#include "reference/simd/avx2/quantize_run.h"

namespace adahop::reference::simd {

run_report quantize_f32__avx2(const scale_choice& how, const float* x, int64_t blocks, uint8_t* codes,
                              uint8_t* scales) {
  return quantize_run(how, f32_to_nearest{}, x, blocks, codes, scales);
}

run_report quantize_bf16__avx2(const scale_choice& how, const uint16_t* x, int64_t blocks, uint8_t* codes,
                               uint8_t* scales) {
  return quantize_run(how, bf16_to_nearest{}, x, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
