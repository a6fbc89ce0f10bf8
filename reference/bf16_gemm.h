// The product of two BF16 matrices, both with the contracted dimension last, under the policy's bf16_gemm_model.
// Implements SPEC 10.7-10.9, 10.18, 10.19.
#pragma once
#include "adahop/policy.h"
#include "reference/accumulate/bf16_rows.h"

namespace adahop::reference {

/// One output from accumulator c, which is +0 in every product, under p.bf16_gemm_model. A NaN stays one, payload
/// unspecified.
float bf16_dot(const policy& p, const bf16_rows& rows, float c = 0.0f);

/// a [M x K], b [N x K], BF16, to out [M x N], F32 or BF16.
void bf16_gemm(const policy& p, const adahop_view& a, const adahop_view& b, const adahop_view& out);

}  // namespace adahop::reference
