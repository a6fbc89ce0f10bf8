// The scaled matrix instruction as the tuned products use it: fragments read from a stage, scale bytes chosen by op_sel.
//
// The instruction's first operand is the block of B and its second that of A, so that a lane's results are neighbouring
// columns of one row of the product. Products and their order along K are the same either way.
#pragma once
#include "arch/gfx950/mx_stage.h"

namespace adahop::hip {

/// Compile-time loop: f.template operator()<I>() for I = 0 .. Count - 1. A lambda for it is ADAHOP_STATIC_LAMBDA, or the
/// compiler may call it instead of putting it in place.
#define ADAHOP_STATIC_LAMBDA __attribute__((always_inline))
template <class T, T... I>
struct static_indices {
  template <class F>
  ADAHOP_DEVICE_FN static void run(const F& f) {
    (f.template operator()<I>(), ...);
  }
};
template <uint32_t Count, class F>
ADAHOP_DEVICE_FN void static_for(const F& f) {
  __make_integer_seq<static_indices, uint32_t, Count>::run(f);
}

ADAHOP_DEVICE_FN mfma_operand mfma_operand_of(staged_codes codes) {
  const auto words = __builtin_bit_cast(int __attribute__((ext_vector_type(4))), codes);
  return __builtin_shufflevector(words, words, 0, 1, 2, 3, -1, -1, -1, -1);
}

/// C + B x A with the scale of byte ByteB of each lane's scale_b and of byte ByteA of its scale_a.
template <uint32_t ByteB, uint32_t ByteA>
ADAHOP_DEVICE_FN mfma_16x16x128::results mfma_scaled(mfma_16x16x128, staged_codes b, uint32_t scale_b, staged_codes a,
                                                     uint32_t scale_a, mfma_16x16x128::results c) {
  return __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(mfma_operand_of(b), mfma_operand_of(a), c, kMfmaFp4, kMfmaFp4,
                                                          ByteB, static_cast<int>(scale_b), ByteA,
                                                          static_cast<int>(scale_a));
}
template <uint32_t ByteB, uint32_t ByteA>
ADAHOP_DEVICE_FN mfma_32x32x64::results mfma_scaled(mfma_32x32x64, staged_codes b, uint32_t scale_b, staged_codes a,
                                                    uint32_t scale_a, mfma_32x32x64::results c) {
  return __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(mfma_operand_of(b), mfma_operand_of(a), c, kMfmaFp4, kMfmaFp4,
                                                         ByteB, static_cast<int>(scale_b), ByteA,
                                                         static_cast<int>(scale_a));
}

}  // namespace adahop::hip
