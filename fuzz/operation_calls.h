// A call of one operation below matmul from a fuzzer's bytes: its policy, then shapes, strides and values.
#pragma once
#include "conformance/judge/calls.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

inline constexpr int kOperations = 10;  ///< all of the C ABI but matmul

/// 0 to kOperations - 1 as the C ABI numbers them.
adahop_op read_op(input& in);

/// A call of `op`, which is not matmul, with the status that SPEC demands of it. Small: at most 70 rows and an inner
/// dimension of 288.
conformance::call read_operation(input& in, adahop_op op);

/// Whether quantizing as `c` says meets a NaN or Inf: `c`, a quantizing call, run on the reference under
/// nonfinite=block_nan gives a scale byte 0xFF, which nothing else does (SPEC 5.14, 5.15).
bool meets_nonfinite(conformance::call c);

/// What a call under `p` must return: ADAHOP_UNSUPPORTED under nibble_order=ggml_split, which nothing here claims,
/// ADAHOP_NONFINITE under nonfinite=reject where what it quantizes meets a NaN or Inf, else ADAHOP_OK.
adahop_status expected_status(const policy& p, bool meets_nonfinite);

}  // namespace adahop::fuzz
