// Hadamard, then quantization, as one operation, as reference/hadamard_quantize.h. Implements SPEC 6.7-6.11.
#pragma once
#include <span>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// x [outer x inner] to out [outer x extended inner]. The rows in `zeroed` (ascending) count as +0 and are not read.
adahop_quantize_result hadamard_quantize(const policy& p, const adahop_view& x, std::span<const int32_t> zeroed,
                                         const adahop_mx& out);

}  // namespace adahop::reference::simd
