// gemm_model mfma_fused(n): the terms of n blocks and the accumulator summed exactly, rounded once an instruction.
// Implements SPEC 10.6, 10.12.
#pragma once
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// One instruction over blocks [first, first + count). acc is not NaN; an Inf stays.
float accumulate_mfma_fused(float acc, const mx_rows& rows, int64_t first, int64_t count);

}  // namespace adahop::reference
