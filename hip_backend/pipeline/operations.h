// One function an operation of the C ABI: checks, brings the caller's data to the device, runs the stages, brings the
// results back. Everything has arrived when they return.
#pragma once
#include "adahop/backend.h"
#include "pipeline/context.h"

namespace adahop::hip {

status run(const context& on, const adahop_quantize_args& args);
status run(const context& on, const adahop_dequantize_args& args);
status run(const context& on, const adahop_hadamard_args& args);
status run(const context& on, const adahop_hadamard_quantize_args& args);
status run(const context& on, const adahop_pattern_args& args);
status run(const context& on, const adahop_select_outliers_args& args);
status run(const context& on, const adahop_extract_outliers_args& args);
status run(const context& on, const adahop_mx_gemm_args& args);
status run(const context& on, const adahop_bf16_gemm_args& args);
status run(const context& on, const adahop_scatter_add_args& args);
status run(const context& on, const adahop_matmul_args& args);

}  // namespace adahop::hip
