// Checks of the C ABI's arguments, done once before an operation runs: null pointers, shapes, strides, dtypes, index
// lists. Implements SPEC 1.7, 3.4, 11.7.
#pragma once
#include "adahop/status.h"

namespace adahop::reference {

status check_exec(const adahop_exec* exec);

status check(const adahop_quantize_args& args);
status check(const adahop_dequantize_args& args);
status check(const adahop_hadamard_args& args);
status check(const adahop_hadamard_quantize_args& args);
status check(const adahop_pattern_args& args);
status check(const adahop_select_outliers_args& args);
status check(const adahop_extract_outliers_args& args);
status check(const adahop_mx_gemm_args& args);
status check(const adahop_bf16_gemm_args& args);
status check(const adahop_scatter_add_args& args);
status check(const adahop_matmul_args& args);

}  // namespace adahop::reference
