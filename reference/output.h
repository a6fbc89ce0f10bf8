// What an operation stores: the canonical NaN, and FP32 or BF16 as the output view asks. Implements SPEC 1.4, 10.8.
#pragma once
#include "adahop/tensor.h"
#include "reference/round_bf16.h"

namespace adahop::reference {

constexpr float canonical(float v) {
  return (bits_of(v) & 0x7FFFFFFFu) > 0x7F800000u ? float_of(kCanonicalNan) : v;
}

constexpr double canonical(double v) {
  const uint64_t bits = __builtin_bit_cast(uint64_t, v);
  const bool nan = (bits & 0x7FFFFFFFFFFFFFFFu) > 0x7FF0000000000000u;
  return nan ? __builtin_bit_cast(double, uint64_t{0x7FF8000000000000u}) : v;
}

/// Writes v to element (r, c) of an F32 view, or its BF16 rounding to that of a BF16 view.
inline void store(const adahop_view& out, int64_t r, int64_t c, float v) {
  const int64_t at = r * out.row_stride + c * out.col_stride;
  if (out.dtype == ADAHOP_BF16)
    static_cast<bf16*>(out.data)[at] = round_bf16(v);
  else
    static_cast<float*>(out.data)[at] = canonical(v);
}

}  // namespace adahop::reference
