// A block, and a matrix along its inner dimension, to MXFP4. Implements SPEC 5.1-5.15 for element_rounding = rne.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

struct block_report {
  int32_t clipped = 0;           ///< elements with |v| / scale > 6, 0 in a block with a NaN or Inf
  int32_t first_nonfinite = -1;  ///< position of the first NaN or Inf, -1 if none
};

/// 32 values to 16 bytes of codes and one scale byte. A block with a NaN or Inf becomes byte 0xFF and codes 0.
block_report quantize_block(const policy& p, const float* x, uint8_t* codes, uint8_t* scale);

/// x [outer x inner], F32 or BF16, to out of the same shape; inner is a multiple of 32. Both already checked.
adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out);

/// ADAHOP_NONFINITE if the policy rejects what a quantizing call has found; `what` names the argument, `inner` its
/// inner dimension.
status check_nonfinite(const policy& p, const adahop_quantize_result& found, int64_t inner, const char* what);

}  // namespace adahop::reference
