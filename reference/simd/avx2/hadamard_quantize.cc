// The Hadamard transform of size 32 and quantization of its output under RNE, tile by tile, for AVX2. Implements SPEC
// 6.1-6.9.
#include "reference/simd/avx2/hadamard_group.h"
#include "reference/simd/avx2/quantize_run.h"

namespace adahop::reference::simd {
namespace {

/// Result, what the encoder takes, says what the transform is rounded to: float to nothing more.
template <class Result, class Encoder, class Element>
[[gnu::always_inline]] inline run_report transform_and_quantize(const scale_choice& how, const Encoder& encoder,
                                                                const Element* x, int64_t blocks, uint8_t* codes,
                                                                uint8_t* scales) {
  alignas(32) Result tile[kTile * kBlock];
  const auto transformed = [&tile](const Element* from, int64_t count) __attribute__((always_inline)) {
    transform_run<kBlock, false>(false, from, nullptr, kBlock * count, store_kind::plain, tile);
    return static_cast<const Result*>(tile);
  };
  return quantize_run(how, encoder, x, transformed, blocks, codes, scales);
}

}  // namespace

run_report hadamard_quantize_f32__avx2(const scale_choice& how, bool round_bf16, const float* x, int64_t blocks,
                                       uint8_t* codes, uint8_t* scales) {
  return round_bf16 ? transform_and_quantize<uint16_t>(how, bf16_to_nearest{}, x, blocks, codes, scales)
                    : transform_and_quantize<float>(how, f32_to_nearest{}, x, blocks, codes, scales);
}

run_report hadamard_quantize_bf16__avx2(const scale_choice& how, bool round_bf16, const uint16_t* x, int64_t blocks,
                                        uint8_t* codes, uint8_t* scales) {
  return round_bf16 ? transform_and_quantize<uint16_t>(how, bf16_to_nearest{}, x, blocks, codes, scales)
                    : transform_and_quantize<float>(how, f32_to_nearest{}, x, blocks, codes, scales);
}

}  // namespace adahop::reference::simd
