// What a call must satisfy before anything is launched: policy, shapes, types, indices. Implements SPEC 1.7, 3.4, 11.7.
#pragma once
#include "adahop/backend.h"
#include "adahop/status.h"
#include "pipeline/context.h"

namespace adahop::hip {

/// Shapes, types and policy of a call in `mode`.
status check(const adahop_quantize_args& args, adahop_mode mode);
status check(const adahop_dequantize_args& args, adahop_mode mode);
status check(const adahop_hadamard_args& args, adahop_mode mode);
status check(const adahop_hadamard_quantize_args& args, adahop_mode mode);
status check(const adahop_pattern_args& args, adahop_mode mode);
status check(const adahop_select_outliers_args& args, adahop_mode mode);
status check(const adahop_extract_outliers_args& args, adahop_mode mode);
status check(const adahop_mx_gemm_args& args, adahop_mode mode);
status check(const adahop_bf16_gemm_args& args, adahop_mode mode);
status check(const adahop_scatter_add_args& args, adahop_mode mode);
status check(const adahop_matmul_args& args, adahop_mode mode);

/// Size, mode and memory.
status check_exec(const adahop_exec* exec);

/// Each index in [0, limit) and above the one before it. `count` has been held to the limit by check().
status check_indices(const char* what, const int32_t* indices, int64_t count, int64_t limit);

}  // namespace adahop::hip
