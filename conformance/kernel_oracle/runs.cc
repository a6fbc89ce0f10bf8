// Runs of blocks and of groups: quantization, fused or not, the Hadamard transform, dequantization. Implements
// SPEC 2.5, 2.6, 5.1-5.21, 6.1-6.11 for contiguous runs.
#include <algorithm>

#include "conformance/kernel_oracle/kernel_oracle.h"
#include "reference/hadamard.h"
#include "reference/output.h"
#include "reference/quantize.h"

namespace adahop::conformance::kernel_oracle {
namespace {

using namespace adahop::reference;

float value_of(float v) { return v; }
float value_of(uint16_t bits) { return decode_bf16({bits}); }

float rounded(float v) { return decode_bf16(round_bf16(v)); }

void put(float v, float* out) { *out = canonical(v); }
void put(float v, uint16_t* out) { *out = round_bf16(v).bits; }

policy policy_of(const scale_choice& how) {
  policy p = default_policy();
  p.scale_rule = how.rule;
  p.min_scale_byte = how.min_scale_byte;
  return p;
}

// Block i stands at place(i) of its tensor; change(values) is made before it is quantized.
template <class Element, class Place, class Change>
run_report quantize_run(const policy& p, const Element* x, int64_t blocks, uint8_t* codes, uint8_t* scales,
                        const Place& place, const Change& change) {
  run_report run{0, -1};
  for (int64_t i = 0; i < blocks; ++i) {
    float values[kBlockSize];
    for (int64_t j = 0; j < kBlockSize; ++j) values[j] = value_of(x[kBlockSize * i + j]);
    change(values);
    const block_report block = quantize_block(p, values, place(i), codes + kBlockBytes * i, scales + i);
    run.clipped += block.clipped;
    if (run.first_nonfinite < 0 && block.first_nonfinite >= 0)
      run.first_nonfinite = kBlockSize * i + block.first_nonfinite;
  }
  return run;
}

block_place anywhere(int64_t) { return {}; }
void as_it_is(float*) {}

template <class Element>
run_report hadamard_quantize_run(const scale_choice& how, bool to_bf16, const Element* x, int64_t blocks,
                                 uint8_t* codes, uint8_t* scales) {
  return quantize_run(policy_of(how), x, blocks, codes, scales, anywhere, [to_bf16](float* values) {
    hadamard_transform(values, kBlockSize);
    if (to_bf16) std::transform(values, values + kBlockSize, values, rounded);
  });
}

template <class Element, class Result>
void hadamard_run(const transform& how, const Element* x, int64_t count, Result* out) {
  for (int64_t first = 0; first < count; first += how.size) {
    float values[128];
    for (int64_t i = 0; i < how.size; ++i) {
      values[i] = value_of(x[first + i]);
      if (how.signs != nullptr && how.signs[first + i] != 0) values[i] = -values[i];
    }
    hadamard_transform(values, how.size);
    for (int64_t i = 0; i < how.size; ++i) put(how.round_bf16 ? rounded(values[i]) : values[i], out + first + i);
  }
}

template <class Result>
void dequantize_run(const uint8_t* codes, const uint8_t* scales, int64_t blocks, Result* out) {
  for (int64_t i = 0; i < kBlockSize * blocks; ++i) {
    const e2m1 code = unpack_e2m1(codes[i / 2], static_cast<uint32_t>(i % 2));
    put(decode_element(code, e8m0_of(scales[i / kBlockSize])), out + i);
  }
}

}  // namespace

run_report quantize_f32(const scale_choice& how, const float* x, int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return quantize_run(policy_of(how), x, blocks, codes, scales, anywhere, as_it_is);
}
run_report quantize_bf16(const scale_choice& how, const uint16_t* x, int64_t blocks, uint8_t* codes, uint8_t* scales) {
  return quantize_run(policy_of(how), x, blocks, codes, scales, anywhere, as_it_is);
}

run_report quantize_stochastic(const scale_choice& how, const random_words& random, const float* x, int64_t blocks,
                               uint8_t* codes, uint8_t* scales) {
  policy p = policy_of(how);
  p.element_rounding = ADAHOP_ROUND_STOCHASTIC;
  p.sr_bits = random.bits;
  p.sr_seed = random.seed;
  p.sr_offset = random.position;
  const auto place = [](int64_t i) { return block_place{0, kBlockSize * i, kBlockSize * (i + 1)}; };
  return quantize_run(p, x, blocks, codes, scales, place, as_it_is);
}

run_report quantize_gfx950_sr(const scale_choice& how, const random_words& random, const float* x, int64_t blocks,
                              uint8_t* codes, uint8_t* scales) {
  policy p = policy_of(how);
  p.element_rounding = ADAHOP_ROUND_GFX950_SR;
  p.sr_seed = random.seed;
  // Row 1 of a tensor whose row 0 holds as many pairs as the position says.
  const auto inner = static_cast<int64_t>(2 * random.position);
  const auto place = [inner](int64_t i) { return block_place{1, kBlockSize * i, inner}; };
  return quantize_run(p, x, blocks, codes, scales, place, as_it_is);
}

run_report hadamard_quantize_f32(const scale_choice& how, bool round_bf16, const float* x, int64_t blocks,
                                 uint8_t* codes, uint8_t* scales) {
  return hadamard_quantize_run(how, round_bf16, x, blocks, codes, scales);
}
run_report hadamard_quantize_bf16(const scale_choice& how, bool round_bf16, const uint16_t* x, int64_t blocks,
                                  uint8_t* codes, uint8_t* scales) {
  return hadamard_quantize_run(how, round_bf16, x, blocks, codes, scales);
}

void dequantize_f32(const uint8_t* codes, const uint8_t* scales, int64_t blocks, float* out, bool) {
  dequantize_run(codes, scales, blocks, out);
}
void dequantize_bf16(const uint8_t* codes, const uint8_t* scales, int64_t blocks, uint16_t* out, bool) {
  dequantize_run(codes, scales, blocks, out);
}

void hadamard_f32_f32(const transform& how, const float* x, int64_t count, float* out, bool) {
  hadamard_run(how, x, count, out);
}
void hadamard_f32_bf16(const transform& how, const float* x, int64_t count, uint16_t* out, bool) {
  hadamard_run(how, x, count, out);
}
void hadamard_bf16_f32(const transform& how, const uint16_t* x, int64_t count, float* out, bool) {
  hadamard_run(how, x, count, out);
}
void hadamard_bf16_bf16(const transform& how, const uint16_t* x, int64_t count, uint16_t* out, bool) {
  hadamard_run(how, x, count, out);
}

}  // namespace adahop::conformance::kernel_oracle
