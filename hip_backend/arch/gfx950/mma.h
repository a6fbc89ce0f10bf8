// A tile on gfx950's matrix cores, V_MFMA_SCALE_F32_*_F8F6F4, FP4 x FP4: block dots with C = 0 and both scales 2^0,
// SPEC 10.1; the chain of native mode with each lane's own scales in byte 0 of their registers, SPEC 10.24.
#pragma once
#include "arch/fragments_wave64.h"

namespace adahop::hip {

typedef int mfma_operand __attribute__((ext_vector_type(8)));

/// An FP4 operand: the low 128 of the builtin's 256 bits.
ADAHOP_DEVICE_FN mfma_operand mfma_operand_of(const fp4_block& b) {
  return {static_cast<int>(b.words[0]), static_cast<int>(b.words[1]), static_cast<int>(b.words[2]),
          static_cast<int>(b.words[3]), 0, 0, 0, 0};
}

/// A scale byte in a register: constant scales can make the compiler choose another instruction.
ADAHOP_DEVICE_FN int mfma_scale(uint32_t byte) {
  int scale = static_cast<int>(byte);
  asm volatile("" : "+v"(scale));
  return scale;
}

inline constexpr int kMfmaFp4 = 4;  // cbsz and blgp

struct mfma_16x16x128 : fragments_16x16x128 {
  typedef float results __attribute__((ext_vector_type(4)));
  ADAHOP_DEVICE_FN static results run(mfma_operand a, int scale_a, mfma_operand b, int scale_b, results c) {
    return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(a, b, c, kMfmaFp4, kMfmaFp4, 0, scale_a, 0, scale_b);
  }
};

struct mfma_32x32x64 : fragments_32x32x64 {
  typedef float results __attribute__((ext_vector_type(16)));
  ADAHOP_DEVICE_FN static results run(mfma_operand a, int scale_a, mfma_operand b, int scale_b, results c) {
    return __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, c, kMfmaFp4, kMfmaFp4, 0, scale_a, 0, scale_b);
  }
};

template <class Mfma>
struct gfx950_mma : Mfma {
  using results = typename Mfma::results;

  /// Sums of a*b over the tile's K, exact when only one block of it is non-zero.
  ADAHOP_DEVICE_FN static void multiply(const fp4_block& a, const fp4_block& b, float (&out)[Mfma::kResults]) {
    const int scale = mfma_scale(127);  // 2^0
    const results d = Mfma::run(mfma_operand_of(a), scale, mfma_operand_of(b), scale, results{});
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < Mfma::kResults; ++r) out[r] = d[r];
  }

  ADAHOP_DEVICE_FN static void accumulate(const scaled_block& a, const scaled_block& b, const mfma_model&,
                                          float (&acc)[Mfma::kResults]) {
    results c;
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < Mfma::kResults; ++r) c[r] = acc[r];
    c = Mfma::run(mfma_operand_of(a.codes), mfma_scale(a.scale_byte), mfma_operand_of(b.codes),
                  mfma_scale(b.scale_byte), c);
    ADAHOP_UNROLL
    for (uint32_t r = 0; r < Mfma::kResults; ++r) acc[r] = c[r];
  }
};

struct mma_16x16x128 : gfx950_mma<mfma_16x16x128> {};
struct mma_32x32x64 : gfx950_mma<mfma_32x32x64> {};

}  // namespace adahop::hip
