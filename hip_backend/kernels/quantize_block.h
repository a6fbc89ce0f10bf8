// One MX block from 32 FP32 values: scale rule, non-finite rule, codes, clipped count. Implements SPEC 5.1-5.9, 5.14.
#pragma once
#include "adahop/formats/e8m0.h"
#include "kernels/elements.h"
#include "kernels/rounding.h"
#include "kernels/scale_byte.h"

namespace adahop::hip {

/// The scale byte for a block whose absolute values reach `amax_bits`, finite.
ADAHOP_DEVICE_FN uint32_t scale_byte_of(uint32_t amax_bits, int32_t rule, int32_t min_scale_byte) {
  const int32_t exponent = static_cast<int32_t>(amax_bits >> 23);
  const uint32_t mantissa = amax_bits & 0x007FFFFFu;
  int32_t byte = exponent - 2;
  if (rule == kScaleCeil) byte += mantissa != 0 ? 1 : 0;
  if (rule == kScaleEven) byte = static_cast<int32_t>((amax_bits + 0x00200000u) >> 23) - 2;
  if (rule == kScaleRceil) byte += mantissa > 0x00400000u ? 1 : 0;
  return static_cast<uint32_t>(byte > min_scale_byte ? byte : min_scale_byte);
}

struct quantized_block {
  fp4_block codes;
  uint32_t scale_byte;
  uint32_t clipped;
  int32_t first_nonfinite;  ///< element index, -1 if none
};

template <class Rounding>
ADAHOP_DEVICE_FN void quantize_block(const float (&v)[32], const quantize_args& args, const stored_position& at,
                                     quantized_block& out) {
  uint32_t amax_bits = 0;
  int32_t first_nonfinite = -1;
  ADAHOP_UNROLL
  for (int i = 31; i >= 0; --i) {
    const uint32_t magnitude = bits_of(v[i]) & 0x7FFFFFFFu;
    amax_bits = magnitude > amax_bits ? magnitude : amax_bits;
    first_nonfinite = magnitude >= 0x7F800000u ? i : first_nonfinite;
  }
  out.first_nonfinite = first_nonfinite;
  out.clipped = 0;
  if (first_nonfinite >= 0) {
    out.scale_byte = kE8m0Nan;
    for (uint32_t& word : out.codes.words) word = 0;
    return;
  }
  out.scale_byte = scale_byte_of(amax_bits, args.rule, args.min_scale_byte);
  // The pattern of 6 * 2^(byte - 127); from 2^128 on it is above every finite one.
  const uint32_t six_bits = ((out.scale_byte + 2) << 23) + 0x00400000u;
  uint32_t clipped = 0;
  ADAHOP_UNROLL
  for (int i = 0; i < 32; ++i) clipped += (bits_of(v[i]) & 0x7FFFFFFFu) > six_bits ? 1u : 0u;
  out.clipped = clipped;
  Rounding::encode(v, out.scale_byte, args.rounding, at, out.codes);
}

ADAHOP_DEVICE_FN void store_block(const mx_out& out, int64_t row, int64_t block, const quantized_block& q) {
  __builtin_memcpy(out.codes + row * out.codes_stride + 16 * block, &q.codes, sizeof q.codes);
  out.scales[scale_offset(out, row, block)] = static_cast<uint8_t>(q.scale_byte);
}

}  // namespace adahop::hip
