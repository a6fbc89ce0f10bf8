// A tile on gfx950's matrix cores, V_MFMA_SCALE_F32_*_F8F6F4, FP4 x FP4: block dots with C = 0 and both scales 2^0,
// SPEC 10.1; the chain of native mode with each lane's own scales in byte 0 of their registers, SPEC 10.24.
#pragma once
#include "arch/fragments_wave64.h"

namespace adahop::hip {

typedef int mfma_operand __attribute__((ext_vector_type(8)));
typedef float mfma_result4 __attribute__((ext_vector_type(4)));
typedef float mfma_result16 __attribute__((ext_vector_type(16)));

/// An FP4 operand: the low 128 of the builtin's 256 bits.
ADAHOP_DEVICE_FN mfma_operand mfma_operand_of(const fp4_block& b) {
  return {static_cast<int>(b.words[0]), static_cast<int>(b.words[1]), static_cast<int>(b.words[2]),
          static_cast<int>(b.words[3]), 0, 0, 0, 0};
}

/// The byte 127 in a register: constant scales can make the compiler choose another instruction.
ADAHOP_DEVICE_FN int mfma_unit_scale() {
  int scale = 127;
  asm volatile("" : "+v"(scale));
  return scale;
}

/// A lane's scale, in a register for the same reason.
ADAHOP_DEVICE_FN int mfma_scale_of(const scaled_block& b) {
  int scale = static_cast<int>(b.scale_byte);
  asm volatile("" : "+v"(scale));
  return scale;
}

inline constexpr int kMfmaFp4 = 4;  // cbsz and blgp

struct mma_16x16x128 : fragments_16x16x128 {
  /// Sums of a*b over the tile's K, exact when only one block of it is non-zero.
  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[kResults]) {
    const mfma_result4 zero = {0, 0, 0, 0};
    const int scale = mfma_unit_scale();
    const mfma_result4 d = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(
        mfma_operand_of(a), mfma_operand_of(b), zero, kMfmaFp4, kMfmaFp4, 0, scale, 0, scale);
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) out[r] = d[r];
  }

  ADAHOP_DEVICE_FN static void accumulate(const scaled_block& a, const scaled_block& b, const mfma_model&,
                                          float (&acc)[kResults]) {
    mfma_result4 c;
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) c[r] = acc[r];
    c = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(mfma_operand_of(a.codes), mfma_operand_of(b.codes), c,
                                                         kMfmaFp4, kMfmaFp4, 0, mfma_scale_of(a), 0, mfma_scale_of(b));
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) acc[r] = c[r];
  }
};

struct mma_32x32x64 : fragments_32x32x64 {
  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[kResults]) {
    const mfma_result16 zero = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    const int scale = mfma_unit_scale();
    const mfma_result16 d = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(
        mfma_operand_of(a), mfma_operand_of(b), zero, kMfmaFp4, kMfmaFp4, 0, scale, 0, scale);
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) out[r] = d[r];
  }

  ADAHOP_DEVICE_FN static void accumulate(const scaled_block& a, const scaled_block& b, const mfma_model&,
                                          float (&acc)[kResults]) {
    mfma_result16 c;
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) c[r] = acc[r];
    c = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(mfma_operand_of(a.codes), mfma_operand_of(b.codes), c,
                                                        kMfmaFp4, kMfmaFp4, 0, mfma_scale_of(a), 0, mfma_scale_of(b));
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < kResults; ++r) acc[r] = c[r];
  }
};

}  // namespace adahop::hip
