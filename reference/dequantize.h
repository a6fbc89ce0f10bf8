// An MXFP4 matrix back to FP32 or BF16. Implements SPEC 2.5, 2.6, 5.10.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference {

/// x to out, an F32 or BF16 view of the same shape; exact but for overflow, which gives Inf.
void dequantize(const adahop_mx& x, const adahop_view& out);

}  // namespace adahop::reference
