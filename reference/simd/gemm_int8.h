// The MX product's loops without block scaling: what plain int8 arithmetic costs on the same panels, the baseline of
// benches.
#pragma once
#include "adahop/tensor.h"
#include "reference/simd/isa.h"

namespace adahop::reference::simd {

/// out [M x N] = sum over k of 2a * (2b + 12), for a [M x K] and b [N x K] in the linear layout; their scales do not
/// count. Exact while 12 * 24 * K < 2^31.
void int8_gemm(const kernel_table& k, const adahop_mx& a, const adahop_mx& b, matrix<int32_t>& out);

}  // namespace adahop::reference::simd
