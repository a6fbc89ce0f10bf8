// A call for each operation of the C ABI, from inputs. Shapes of outputs follow from the inputs; an output that lies
// by columns (`transposed`) tests a result along axis 0 (SPEC 3.3). Outputs stand in the order in which one follows
// from the other, so that the first difference reported is the nearest to its cause.
#pragma once
#include "conformance/judge/call.h"

namespace adahop::conformance {

/// Outputs: scales, codes, result (clipped, first_nonfinite). Shuffled scales are one row of bytes (SPEC 3.5).
call quantize_call(const policy& p, view_input x);

/// Output: out, [outer x inner]; `logical_inner` is the inner dimension before pad=zero, -1 where it is x's.
call dequantize_call(const policy& p, mx_input x, adahop_dtype dtype, bool transposed, int64_t logical_inner = -1);

/// Output: out, dtype = p.hadamard_output.
call hadamard_call(const policy& p, view_input x, bool transposed);

/// Outputs as quantize_call's.
call hadamard_quantize_call(const policy& p, view_input x, index_input zeroed);

/// Outputs: row_variance, col_variance, cv (cv_row, cv_col), verdict.
call pattern_call(const policy& p, view_input x);

/// Outputs: scores, count, indices. Candidates are the rows of `x`.
call select_outliers_call(const policy& p, view_input x);

/// Output: out, [count x length].
call extract_outliers_call(const policy& p, view_input x, index_input indices);

/// Output: out, [M x N].
call mx_gemm_call(const policy& p, mx_input a, mx_input b, adahop_dtype dtype, bool transposed);
call bf16_gemm_call(const policy& p, view_input a, view_input b, adahop_dtype dtype, bool transposed);

/// Output: out, [M x N]. `in_place`: out is the memory of c, which holds c's values before the call (FP32 only).
call scatter_add_call(const policy& p, view_input c, view_input outlier, index_input indices, adahop_side side,
                      adahop_dtype dtype, bool in_place);

/// What a whole product is told beside its operands (SPEC 13.2).
struct product {
  int level = 1;
  adahop_pattern left = ADAHOP_PATTERN_NONE, right = ADAHOP_PATTERN_NONE;
  adahop_path path = ADAHOP_PATH_FORWARD;
};

/// Output: out, [M x N], dtype = p.output.
call matmul_call(const policy& p, const product& what, view_input a, view_input b, bool transposed);

}  // namespace adahop::conformance
