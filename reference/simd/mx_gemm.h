// The product of two MXFP4 matrices, as reference/mx_gemm.h, and the same with an outlier product added. Implements
// SPEC 10.1-10.8, 10.10.
#pragma once
#include "adahop/policy.h"
#include "reference/simd/gemm_output.h"

namespace adahop::reference::simd {

/// a [M x K], b [N x K], linear layout, to out [M x N], F32 or BF16. Models other than block_rne are the scalar
/// oracle's.
void mx_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const adahop_view& out);

/// The product of mx_gemm in FP32, one addition at the outliers' lines, then the output's rounding.
void mixed_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const outlier_product& outliers,
                const adahop_view& out);

}  // namespace adahop::reference::simd
