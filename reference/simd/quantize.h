// Quantization of a matrix along its inner dimension, as reference/quantize.h. Implements SPEC 3.7, 3.8, 5.1-5.21.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// x [outer x inner], F32 or BF16, to out [outer x extended inner]. Both already checked.
adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out);

}  // namespace adahop::reference::simd
