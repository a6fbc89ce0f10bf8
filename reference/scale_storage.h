// Where the scale bytes of an MXFP4 matrix lie in its layout, and what stands between them. Implements SPEC 3.1, 3.5,
// 3.6.
#pragma once
#include <vector>

#include "adahop/tensor.h"

namespace adahop::reference {

/// The byte of row `outer`, block `block` of m, whose scales are in `layout`, an adahop_scale_layout.
uint8_t& scale_at(const adahop_mx& m, int32_t layout, int64_t outer, int64_t block);

/// Writes the pad bytes of m's scales; a layout without padding has none.
void clear_scale_padding(const adahop_mx& m, int32_t layout);

/// m with its scales in the linear layout: m itself, or m over a copy that `storage` then holds.
adahop_mx with_linear_scales(const adahop_mx& m, int32_t layout, std::vector<uint8_t>& storage);

}  // namespace adahop::reference
