// A block, and a matrix along its inner dimension, to MXFP4. Implements SPEC 3.7, 3.8, 5.1-5.20.
#pragma once
#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

struct block_report {
  int32_t clipped = 0;           ///< elements with |v| / scale > 6, 0 in a block with a NaN or Inf
  int32_t first_nonfinite = -1;  ///< position of the first NaN or Inf, -1 if none
};

/// Where a block begins in the tensor that is quantized, for the random words of its elements (SPEC 3.8); `inner` is
/// that tensor's dimension.
struct block_place {
  int64_t row = 0, column = 0, inner = kBlockSize;
};

/// 32 values to 16 bytes of codes and one scale byte. A block with a NaN or Inf becomes byte 0xFF and codes 0.
block_report quantize_block(const policy& p, const float* x, const block_place& place, uint8_t* codes, uint8_t* scale);

/// x [outer x inner], F32 or BF16, to out [outer x extended inner]. Both already checked.
adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out);

/// ADAHOP_NONFINITE if the policy rejects what a quantizing call has found; `what` names the argument, `inner` is the
/// dimension that its index counts with.
status check_nonfinite(const policy& p, const adahop_quantize_result& found, int64_t inner, const char* what);

}  // namespace adahop::reference
