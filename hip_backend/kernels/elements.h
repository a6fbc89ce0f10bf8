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

/// 16 bytes of neighbouring elements, one access wherever they lie.
template <class T>
struct element_chunk {
  static constexpr int kCount = 16 / sizeof(T);
  T elements[kCount];
};

/// The 32 elements of MX block `block` of row `r`, +0 where the block reaches beyond the row's `length` elements, of which
/// nothing is read.
template <class T>
ADAHOP_DEVICE_FN void load_block(const matrix_in& x, int64_t r, int64_t block, int64_t length, float (&v)[32]) {
  const T* const first = static_cast<const T*>(x.data) + r * x.row_stride + 32 * block * x.col_stride;
  const int64_t here = length - 32 * block;
  if (here >= 32 && x.col_stride == 1) {
    using chunk = element_chunk<T>;
    chunk chunks[32 / chunk::kCount];
    __builtin_memcpy(&chunks, first, sizeof chunks);
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) v[i] = as_float(chunks[i / chunk::kCount].elements[i % chunk::kCount]);
  } else if (here >= 32) {
    const T* at = first;
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i, at += x.col_stride) v[i] = as_float(*at);
  } else {
    // Eight at a time, so that their loads are under way together; past the end the first element is read again.
    ADAHOP_UNROLL
    for (int group = 0; group < 32; group += 8) {
      ADAHOP_UNROLL
      for (int i = group; i < group + 8; ++i) v[i] = 0.0f;
      if (group < here) {
        const T* at = first + group * x.col_stride;
        ADAHOP_UNROLL
        for (int i = group; i < group + 8; ++i, at += x.col_stride) {
          const float element = as_float(*(i < here ? at : first));
          v[i] = i < here ? element : 0.0f;
        }
      }
    }
  }
}

template <class T>
ADAHOP_DEVICE_FN T rounded_to(float v);
template <>
ADAHOP_DEVICE_FN float rounded_to<float>(float v) {
  return canonical(v);
}
template <>
ADAHOP_DEVICE_FN bf16 rounded_to<bf16>(float v) {
  return {round_to_bf16(v)};
}

template <class T>
ADAHOP_DEVICE_FN void store_elements_as(const matrix_out& out, int64_t r, int64_t block, int64_t length,
                                        const float (&v)[32]) {
  T* const first = static_cast<T*>(out.data) + r * out.row_stride + 32 * block * out.col_stride;
  const int64_t here = length - 32 * block;
  if (here >= 32 && out.col_stride == 1) {
    using chunk = element_chunk<T>;
    chunk chunks[32 / chunk::kCount];
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) chunks[i / chunk::kCount].elements[i % chunk::kCount] = rounded_to<T>(v[i]);
    __builtin_memcpy(first, &chunks, sizeof chunks);
  } else {
    T* at = first;
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i, at += out.col_stride)
      if (i < here) *at = rounded_to<T>(v[i]);
  }
}

/// Stores MX block `block` of row `r`, the elements below the row's `length`, as store() does.
ADAHOP_DEVICE_FN void store_elements(const matrix_out& out, int64_t r, int64_t block, int64_t length,
                                     const float (&v)[32]) {
  if (out.is_bf16 != 0)
    store_elements_as<bf16>(out, r, block, length, v);
  else
    store_elements_as<float>(out, r, block, length, v);
}

}  // namespace adahop::hip
