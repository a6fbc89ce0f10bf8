// The 32-point Walsh-Hadamard transform in Sylvester order, FP32. Implements SPEC 6.1-6.5.
#pragma once
#include "adahop/tensor.h"

namespace adahop::reference {

/// The butterflies alone, in place on 32 values (SPEC 6.2).
void hadamard_butterflies32(float* x);

/// Butterflies, then one multiplication by FP32(1/sqrt(32)), in place; a NaN comes out canonical (SPEC 6.3).
void hadamard32(float* x);

/// Each block of 32 along the inner dimension of x, to out of the same shape; the dtype of out says whether the last
/// rounding to BF16 happens (SPEC 6.4).
void hadamard(const adahop_view& x, const adahop_view& out);

}  // namespace adahop::reference
