// Hadamard along the inner dimension, then quantization, as one operation. Implements SPEC 6.7-6.9.
#pragma once
#include <span>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

/// x [outer x inner] to out of the same shape. The rows in `zeroed` (ascending) count as +0 and are not read.
adahop_quantize_result hadamard_quantize(const policy& p, const adahop_view& x, std::span<const int32_t> zeroed,
                                         const adahop_mx& out);

}  // namespace adahop::reference
