// The block-32 Walsh-Hadamard transform, step by step in exact-then-rounded FP32. Implements SPEC chapter 6.
#pragma once
#include "mxfp4.h"

namespace independent {

/// Transforms 32 FP32 patterns in place, the multiplication by 1/sqrt(32) included.
void hadamard_block(uint32_t* bits);

/// Transforms each block of 32 along the columns; `to_bf16` rounds each result to BF16.
fp32_matrix hadamard(fp32_matrix x, bool to_bf16);

}  // namespace independent
