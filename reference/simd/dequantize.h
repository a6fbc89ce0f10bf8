// An MXFP4 matrix back to FP32 or BF16, as reference/dequantize.h. Implements SPEC 2.5, 2.6, 3.5-3.7, 5.10.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// x, scales in p.scale_layout, to out, an F32 or BF16 view of as many rows and at most as many columns.
void dequantize(const policy& p, const adahop_mx& x, const adahop_view& out);

}  // namespace adahop::reference::simd
