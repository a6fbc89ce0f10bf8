// The inner dimension under pad = zero. Implements SPEC 3.7, 6.10.
#pragma once
#include <algorithm>
#include <cstdint>

#include "adahop/backend.h"
#include "adahop/formats/mx_block.h"
#include "adahop/formats/scale_layout.h"

namespace adahop::hip {

/// What a transformed inner dimension must be a multiple of.
inline int64_t transform_multiple(const adahop_policy& p) { return std::max<int64_t>(kBlockSize, p.hadamard_size); }

/// The inner dimension that an operation on `inner` elements works with.
inline int64_t extended(const adahop_policy& p, int64_t inner) {
  return p.pad == ADAHOP_PAD_ZERO ? round_up(inner, transform_multiple(p)) : inner;
}

}  // namespace adahop::hip
