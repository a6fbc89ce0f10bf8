// The product of two MXFP4 matrices, both with the contracted dimension inner. Implements SPEC 10.1-10.8.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference {

/// One output: row m of a with row n of b, over the common inner dimension, under gemm_model block_rne.
float mx_dot(const adahop_mx& a, int64_t m, const adahop_mx& b, int64_t n);

/// a [M x K], b [N x K] to out [M x N], F32 or BF16.
void mx_gemm(const adahop_mx& a, const adahop_mx& b, const adahop_view& out);

}  // namespace adahop::reference
