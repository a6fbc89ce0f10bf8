// The Walsh-Hadamard transform of 16 to 128 elements, step by step in exact-then-rounded FP32, with or without random
// signs. Implements SPEC chapter 6.
#pragma once
#include "mxfp4.h"

namespace independent {

struct transform {
  int size = 32;
  bool random_signs = false;
  uint64_t sign_seed = 0;
  bool to_bf16 = true;  ///< each result rounded to BF16
};

/// Transforms `size` FP32 patterns in place, the multiplication by 1/sqrt(size) included.
void hadamard_block(uint32_t* bits, int size = 32);

/// Transforms each aligned group along the columns; x is first extended by columns of +0 to the next multiple of 32 and
/// of the size (pad=zero).
fp32_matrix hadamard(const fp32_matrix& x, const transform& how);

/// The default transform, of size 32 without signs.
fp32_matrix hadamard(const fp32_matrix& x, bool to_bf16);

/// x with columns of +0 up to the next multiple of 32 and of `size`, a power of two.
fp32_matrix zero_padded(const fp32_matrix& x, int size);

}  // namespace independent
