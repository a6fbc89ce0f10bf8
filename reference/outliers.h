// Which rows of an operand are outliers, and the split of the operand into outliers and residual. For columns pass the
// transposed view. Implements SPEC chapter 9.
#pragma once
#include <span>
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

/// The score of each row of x [n x length], F32 or BF16; the extended length is a positive multiple of 32. NaN
/// canonical.
std::vector<float> scores(const policy& p, const adahop_view& x);

/// The first min(k, scores.size()) indices in the order NaN, higher score, lower index; returned ascending.
/// Scores are sums of squares: never negative.
std::vector<int32_t> top_k(std::span<const float> scores, int64_t k);

/// The rows in `indices`, bits unchanged, one below the other; x and out [indices.size() x length] are BF16.
void extract(const adahop_view& x, std::span<const int32_t> indices, const adahop_view& out);

/// x, BF16, with the rows in `indices` replaced by +0.
matrix<bf16> zero(const adahop_view& x, std::span<const int32_t> indices);

}  // namespace adahop::reference
