// Boundary checks of the reference. Implements SPEC 1.7, 3.4, 3.7, 6.10, 11.7.
#include "reference/boundary.h"

#include <fmt/format.h>

#include "adahop/tensor.h"
#include "reference/capabilities.h"
#include "reference/extent.h"

namespace adahop::reference {
namespace {

status check_shape(int64_t rows, int64_t cols, int64_t want_rows, int64_t want_cols, const char* what) {
  if (rows == want_rows && cols == want_cols) return {};
  return invalid_argument(fmt::format("{}: shape {} x {}, expected {} x {}", what, rows, cols, want_rows, want_cols));
}

status check_dtype(const adahop_view& v, int32_t dtype, const char* what) {
  if (v.dtype == dtype) return {};
  const char* expected = dtype == ADAHOP_BF16 ? "BF16" : "F32";
  return invalid_argument(fmt::format("{}: dtype {}, expected {}", what, v.dtype, expected));
}

// Under pad=zero any inner dimension will do.
status check_inner(const policy& p, int64_t inner, int64_t multiple, const char* what) {
  if (p.pad == ADAHOP_PAD_ZERO || inner % multiple == 0) return {};
  return invalid_argument(fmt::format("{}: inner dimension {} is not a multiple of {}", what, inner, multiple));
}

status check_not_null(const void* p, const char* what) {
  return p != nullptr ? status{} : invalid_argument(fmt::format("{}: is null", what));
}

// A list of `count` indices below `limit`, ascending and unique.
status check_indices(const int32_t* indices, int64_t count, int64_t limit, const char* what) {
  if (count < 0 || count > limit)
    return invalid_argument(fmt::format("{}: count {}, expected 0 to {}", what, count, limit));
  if (count > 0) ADAHOP_TRY(check_not_null(indices, what));
  for (int64_t i = 0; i < count; ++i) {
    if (indices[i] < 0 || indices[i] >= limit)
      return invalid_argument(fmt::format("{}[{}]: index {}, expected 0 to {}", what, i, indices[i], limit - 1));
    if (i > 0 && indices[i] <= indices[i - 1])
      return invalid_argument(
          fmt::format("{}[{}]: index {} after {}, expected ascending and unique", what, i, indices[i], indices[i - 1]));
  }
  return {};
}

// The operands and the result of a product.
status check_product(const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  ADAHOP_TRY(check_view(a, "a"));
  ADAHOP_TRY(check_view(b, "b"));
  ADAHOP_TRY(check_view(out, "out"));
  ADAHOP_TRY(check_dtype(a, ADAHOP_BF16, "a"));
  ADAHOP_TRY(check_dtype(b, ADAHOP_BF16, "b"));
  ADAHOP_TRY(check_shape(b.rows, b.cols, b.rows, a.cols, "b"));
  return check_shape(out.rows, out.cols, a.rows, b.rows, "out");
}

status check_pattern(int32_t pattern, const char* what) {
  if (pattern >= ADAHOP_PATTERN_NONE && pattern <= ADAHOP_PATTERN_COLUMN) return {};
  return invalid_argument(fmt::format("{}: {}, expected 0 (none), 1 (row) or 2 (column)", what, pattern));
}

}  // namespace

status check_exec(const adahop_exec* exec) {
  ADAHOP_TRY(check_not_null(exec, "exec"));
  if (exec->struct_size != sizeof(adahop_exec))
    return invalid_argument(fmt::format("exec: struct_size {}, expected {}", exec->struct_size, sizeof(adahop_exec)));
  if (exec->mode != ADAHOP_MODE_BITEXACT && exec->mode != ADAHOP_MODE_NATIVE)
    return invalid_argument(fmt::format("exec: mode {}, expected 0 (bitexact) or 1 (native)", exec->mode));
  if (exec->memory != ADAHOP_MEMORY_HOST && exec->memory != ADAHOP_MEMORY_DEVICE)
    return invalid_argument(fmt::format("exec: memory {}, expected 0 (host) or 1 (device)", exec->memory));
  if (exec->mode != ADAHOP_MODE_BITEXACT)
    return unsupported(fmt::format("exec: mode {}: the reference is bitexact (0)", exec->mode));
  if (exec->memory != ADAHOP_MEMORY_HOST)
    return unsupported(fmt::format("exec: memory {}: the reference works in host memory (0)", exec->memory));
  return {};
}

status check(const adahop_quantize_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_mx(args.out, "out", args.policy->scale_layout));
  return check_shape(args.out.outer, args.out.inner, args.x.rows, extended_inner(*args.policy, args.x.cols), "out");
}

status check(const adahop_dequantize_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_mx(args.x, "x", args.policy->scale_layout));
  ADAHOP_TRY(check_view(args.out, "out"));
  const bool padded = extended_inner(*args.policy, args.out.cols) == args.x.inner;
  if (args.policy->pad == ADAHOP_PAD_ZERO && !padded)
    return invalid_argument(fmt::format("out: inner dimension {}, expected one that pad=zero extends to {}",
                                        args.out.cols, args.x.inner));
  return check_shape(args.out.rows, args.out.cols, args.x.outer, padded ? args.out.cols : args.x.inner, "out");
}

status check(const adahop_hadamard_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_inner(*args.policy, args.x.cols, transform_multiple(*args.policy), "x"));
  ADAHOP_TRY(check_dtype(args.out, args.policy->hadamard_output, "out (policy hadamard_output)"));
  return check_shape(args.out.rows, args.out.cols, args.x.rows, extended_inner(*args.policy, args.x.cols), "out");
}

status check(const adahop_hadamard_quantize_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_mx(args.out, "out", args.policy->scale_layout));
  ADAHOP_TRY(check_inner(*args.policy, args.x.cols, transform_multiple(*args.policy), "x"));
  ADAHOP_TRY(check_shape(args.out.outer, args.out.inner, args.x.rows, extended_inner(*args.policy, args.x.cols), "out"));
  return check_indices(args.zeroed, args.zeroed_count, args.x.rows, "zeroed");
}

status check(const adahop_pattern_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.x, "x"));
  return check_not_null(args.result, "result");
}

status check(const adahop_select_outliers_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_inner(*args.policy, args.x.cols, kBlockSize, "x"));
  if (args.x.cols == 0) return invalid_argument("x: length 0, expected a positive number");
  if (args.x.rows > 0) ADAHOP_TRY(check_not_null(args.indices, "indices"));
  return check_not_null(args.count, "count");
}

status check(const adahop_extract_outliers_args& args) {
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_dtype(args.x, ADAHOP_BF16, "x"));
  ADAHOP_TRY(check_dtype(args.out, ADAHOP_BF16, "out"));
  ADAHOP_TRY(check_indices(args.indices, args.count, args.x.rows, "indices"));
  return check_shape(args.out.rows, args.out.cols, args.count, args.x.cols, "out");
}

status check(const adahop_mx_gemm_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_mx(args.a, "a", args.policy->scale_layout));
  ADAHOP_TRY(check_mx(args.b, "b", args.policy->scale_layout));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_shape(args.b.outer, args.b.inner, args.b.outer, args.a.inner, "b"));
  return check_shape(args.out.rows, args.out.cols, args.a.outer, args.b.outer, "out");
}

status check(const adahop_bf16_gemm_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  return check_product(args.a, args.b, args.out);
}

status check(const adahop_scatter_add_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  ADAHOP_TRY(check_view(args.c, "c"));
  ADAHOP_TRY(check_view(args.outlier, "outlier"));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_dtype(args.c, ADAHOP_F32, "c"));
  ADAHOP_TRY(check_dtype(args.outlier, ADAHOP_F32, "outlier"));
  if (args.side != ADAHOP_SIDE_LEFT && args.side != ADAHOP_SIDE_RIGHT)
    return invalid_argument(fmt::format("side: {}, expected 0 (left) or 1 (right)", args.side));
  const bool left = args.side == ADAHOP_SIDE_LEFT;
  ADAHOP_TRY(check_indices(args.indices, args.count, left ? args.c.rows : args.c.cols, "indices"));
  ADAHOP_TRY(check_shape(args.outlier.rows, args.outlier.cols, left ? args.count : args.c.rows,
                         left ? args.c.cols : args.count, "outlier"));
  return check_shape(args.out.rows, args.out.cols, args.c.rows, args.c.cols, "out");
}

status check(const adahop_matmul_args& args) {
  ADAHOP_TRY(check_policy(args.policy));
  if (args.level != 1 && args.level != 2)
    return invalid_argument(fmt::format("level: {}, expected 1 or 2", args.level));
  ADAHOP_TRY(check_pattern(args.left_pattern, "left_pattern"));
  ADAHOP_TRY(check_pattern(args.right_pattern, "right_pattern"));
  if (args.path < ADAHOP_PATH_FORWARD || args.path > ADAHOP_PATH_DW)
    return invalid_argument(fmt::format("path: {}, expected 0 (forward), 1 (dX) or 2 (dW)", args.path));
  ADAHOP_TRY(check_product(args.a, args.b, args.out));
  ADAHOP_TRY(check_dtype(args.out, args.policy->output, "out (policy output)"));
  ADAHOP_TRY(check_inner(*args.policy, args.a.cols, transform_multiple(*args.policy), "a"));
  if (args.a.cols == 0) return invalid_argument("a: inner dimension 0, expected a positive number");
  return {};
}

}  // namespace adahop::reference
