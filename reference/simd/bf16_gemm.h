// The product of two BF16 matrices, as reference/bf16_gemm.h. Implements SPEC 10.7-10.9.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// a [M x K], b [N x K], BF16, to out [M x N], F32 or BF16. Models other than seq_fma are the scalar oracle's.
void bf16_gemm(const policy& p, const adahop_view& a, const adahop_view& b, const adahop_view& out);

}  // namespace adahop::reference::simd
