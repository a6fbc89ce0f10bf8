// The whole product: strategy from level, pair and path, then its pipeline, as reference/matmul.h. Implements SPEC
// 5.22, chapters 8 and 11.
#pragma once
#include "adahop/plan.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// a [M x K], b [N x K], BF16, K as SPEC 11.7 asks, to out [M x N] of dtype p.output. ADAHOP_NONFINITE where the
/// policy rejects a NaN or Inf that reaches a quantization.
status matmul(const policy& p, strategy s, const adahop_view& a, const adahop_view& b, const adahop_view& out);

/// The same with the strategy of the published table.
status matmul(const policy& p, int level, pattern_pair pair, adahop_path path, const adahop_view& a,
              const adahop_view& b, const adahop_view& out);

}  // namespace adahop::reference::simd
