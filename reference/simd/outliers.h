// FOID scores, and the copy of outlier rows, as reference/outliers.h. Implements SPEC 9.1-9.4, 9.6.
#pragma once
#include <span>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// The score of each row of x [n x length], F32 or BF16; the extended length is a positive multiple of 32.
std::vector<float> scores(const policy& p, const adahop_view& x);

/// The rows in `indices`, bits unchanged, one below the other; x and out [indices.size() x length] are BF16.
void extract(const adahop_view& x, std::span<const int32_t> indices, const adahop_view& out);

}  // namespace adahop::reference::simd
