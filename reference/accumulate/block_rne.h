// gemm_model block_rne: one block added to the accumulator with one rounding of the exact sum. Implements SPEC 10.2-10.6.
#pragma once
#include <cstdint>

#include "adahop/formats/e8m0.h"

namespace adahop::reference {

/// RNE_FP32(acc + dot_x4 * 2^(sa + sb - 256)) in integers. |dot_x4| <= 4608. A NaN byte or accumulator gives the
/// canonical NaN; an exact zero sum is +0.
float accumulate_block_rne(float acc, int32_t dot_x4, e8m0 sa, e8m0 sb);

}  // namespace adahop::reference
