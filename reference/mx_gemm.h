// The product of two MXFP4 matrices, both with the contracted dimension inner, under the policy's gemm_model.
// Implements SPEC 10.1-10.8, 10.11-10.17.
#pragma once
#include "adahop/policy.h"
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// One output from accumulator c, which is +0 in every product: the two rows over their inner dimension under
/// p.gemm_model.
float mx_dot(const policy& p, const mx_rows& rows, float c = 0.0f);

/// a [M x K], b [N x K], linear layout, to out [M x N], F32 or BF16.
void mx_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const adahop_view& out);

}  // namespace adahop::reference
