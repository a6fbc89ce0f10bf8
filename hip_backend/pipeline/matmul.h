// The whole product on device matrices. Implements SPEC chapter 11, 13.2.
#pragma once
#include "pipeline/stages.h"
#include "pipeline/strategy_table.h"

namespace adahop::hip {

/// out [M x N] from BF16 a [M x K] and b [N x K], K positive; the output type is the view's.
/// ADAHOP_NONFINITE where the policy rejects NaN and Inf and a quantized operand holds one.
status matmul(const context& on, const adahop_policy& p, route how, const adahop_view& a, const adahop_view& b,
              const adahop_view& out);

}  // namespace adahop::hip
