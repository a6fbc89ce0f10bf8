// The product of two BF16 matrices, both with the contracted dimension last. Implements SPEC 10.7-10.9.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference {

/// a [M x K], b [N x K], BF16, to out [M x N], F32 or BF16, under bf16_gemm_model seq_fma.
void bf16_gemm(const adahop_view& a, const adahop_view& b, const adahop_view& out);

}  // namespace adahop::reference
