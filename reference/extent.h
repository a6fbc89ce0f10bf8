// The inner dimension under pad=zero: what an operation works on and what it writes. Implements SPEC 3.7, 6.10.
#pragma once
#include <algorithm>

#include "adahop/formats/mx_block.h"
#include "adahop/formats/scale_layout.h"
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

inline constexpr int64_t kMaxGroup = 128;  ///< the largest transform

/// What a transform needs its inner dimension to be a multiple of: whole blocks and whole groups.
inline int64_t transform_multiple(const policy& p) { return std::max(kBlockSize, p.hadamard_size); }

/// The dimension after the policy's extension by +0; `inner` itself under pad=error.
inline int64_t extended_inner(const policy& p, int64_t inner) {
  return p.pad == ADAHOP_PAD_ZERO ? round_up(inner, transform_multiple(p)) : inner;
}

/// Element (r, c) of an F32 or BF16 view as FP32, +0 from its last column on.
inline float load_padded(const adahop_view& x, int64_t r, int64_t c) { return c < x.cols ? load(x, r, c) : 0.0f; }

}  // namespace adahop::reference
