// Where the scale byte of an MX block lies. Implements SPEC 3.1, 3.5.
#pragma once
#include "adahop/formats/scale_layout.h"
#include "arch/lang.h"
#include "kernels/args.h"

namespace adahop::hip {

/// Offset of the byte of `row`, `block` in x.scales; `Mx` is mx_in or mx_out.
template <class Mx>
ADAHOP_DEVICE_FN int64_t scale_offset(const Mx& x, int64_t row, int64_t block) {
  return x.scale_blocks == 0 ? row * x.scales_stride + block : shuffled_scale_offset(row, block, x.scale_blocks);
}

}  // namespace adahop::hip
