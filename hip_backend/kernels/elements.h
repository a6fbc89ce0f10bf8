// Loading elements as FP32 and storing FP32 results: BF16 rounding and the canonical NaN. Implements SPEC 1.4, 2.7, 2.8.
#pragma once
#include "adahop/formats/bf16.h"
#include "arch/ops.h"
#include "kernels/args.h"

namespace adahop::hip {

ADAHOP_DEVICE_FN bool is_nan_bits(uint32_t bits) { return (bits & 0x7FFFFFFFu) > 0x7F800000u; }

/// FP32 to BF16, ties to even. Half of the last kept place, less one when that place is even already, carries exactly
/// when the value rounds up; a carry out of the largest finite value gives Inf.
ADAHOP_DEVICE_FN uint16_t round_to_bf16(float v) {
  const uint32_t bits = bits_of(v);
  if (is_nan_bits(bits)) return kCanonicalNanBf16;
  return static_cast<uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

ADAHOP_DEVICE_FN float canonical(float v) { return is_nan_bits(bits_of(v)) ? float_of(kCanonicalNan) : v; }

ADAHOP_DEVICE_FN float as_float(float v) { return v; }
ADAHOP_DEVICE_FN float as_float(bf16 v) { return decode_bf16(v); }

template <class T>
ADAHOP_DEVICE_FN float load(const matrix_in& x, int64_t r, int64_t c) {
  return as_float(static_cast<const T*>(x.data)[r * x.row_stride + c * x.col_stride]);
}

ADAHOP_DEVICE_FN void store(const matrix_out& out, int64_t r, int64_t c, float v) {
  const int64_t at = r * out.row_stride + c * out.col_stride;
  if (out.is_bf16 != 0)
    static_cast<uint16_t*>(out.data)[at] = round_to_bf16(v);
  else
    static_cast<float*>(out.data)[at] = canonical(v);
}

/// The 32 elements of MX block `block` of row `r`, +0 where the block reaches beyond the row's `length` elements; a
/// whole contiguous block has its own loop so that loads can be wide.
template <class T>
ADAHOP_DEVICE_FN void load_block(const matrix_in& x, int64_t r, int64_t block, int64_t length, float (&v)[32]) {
  const T* const first = static_cast<const T*>(x.data) + r * x.row_stride + 32 * block * x.col_stride;
  const int64_t here = length - 32 * block;
  if (here < 32) {
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) v[i] = i < here ? as_float(first[i * x.col_stride]) : 0.0f;
  } else if (x.col_stride == 1) {
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) v[i] = as_float(first[i]);
  } else {
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) v[i] = as_float(first[i * x.col_stride]);
  }
}

}  // namespace adahop::hip
