// The Walsh-Hadamard transform in Sylvester order, FP32, over groups of 16, 32, 64 or 128, with or without random
// signs. Implements SPEC 6.1-6.5, 6.10, 6.11.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

/// The butterflies alone, in place on `size` values, a power of two (SPEC 6.2).
void hadamard_butterflies(float* x, int64_t size);

/// Butterflies, then one multiplication by FP32(1/sqrt(size)), in place; a NaN comes out canonical. size is 16, 32, 64
/// or 128 (SPEC 6.3, 6.10).
void hadamard_transform(float* x, int32_t size);

/// Whether the element at this position along the inner dimension is multiplied by -1 (SPEC 6.11).
bool hadamard_negates(uint64_t seed, int64_t position);

/// The policy's transform of x[0, count), which stands at `first` along the inner dimension; count and first are
/// multiples of hadamard_size: signs, transform, and the rounding to BF16 that hadamard_output asks for (SPEC 6.4).
void hadamard_groups(const policy& p, float* x, int64_t first, int64_t count);

/// x [outer x inner] to out [outer x extended inner] of dtype p.hadamard_output.
void hadamard(const policy& p, const adahop_view& x, const adahop_view& out);

}  // namespace adahop::reference
