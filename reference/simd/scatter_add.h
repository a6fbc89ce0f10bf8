// The outlier product added back, as reference/scatter_add.h. Implements SPEC 10.10.
#pragma once
#include <span>

#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// c [M x N] F32 and outlier, F32, [count x N] (left, rows) or [M x count] (right, columns), to out [M x N], F32 or
/// BF16. `indices` are unique and ascending. out may be c itself.
void scatter_add(const adahop_view& c, const adahop_view& outlier, std::span<const int32_t> indices, adahop_side side,
                 const adahop_view& out);

}  // namespace adahop::reference::simd
