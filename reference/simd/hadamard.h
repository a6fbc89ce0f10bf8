// The Walsh-Hadamard transform of a matrix along its inner dimension, as reference/hadamard.h. Implements SPEC 6.1-6.5,
// 6.10, 6.11.
#pragma once
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference::simd {

/// x [outer x inner] to out [outer x extended inner] of dtype p.hadamard_output.
void hadamard(const policy& p, const adahop_view& x, const adahop_view& out);

/// For each position of an inner dimension 0x80000000 where the policy's signs negate, else 0; empty without signs.
std::vector<uint32_t> sign_words(const policy& p, int64_t inner);

}  // namespace adahop::reference::simd
