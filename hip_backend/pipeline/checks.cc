// Boundary checks of the backend. Implements SPEC 1.7, 3.4, 3.7, 6.10, 9.1, 11.7.
#include "pipeline/checks.h"

#include <fmt/format.h>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "pipeline/capabilities.h"
#include "pipeline/extent.h"

namespace adahop::hip {
namespace {

status check_claimed(const char* field, uint32_t claimed, int32_t value) {
  if (value >= 0 && value < 32 && (claimed & bit(value)) != 0) return {};
  return unsupported(fmt::format("policy: {}={} (its number in the C ABI) is not supported by this backend", field, value));
}

// In native mode the device's own accumulation stands in for every gemm_model.
status check_policy(const adahop_policy* p, adahop_mode mode) {
  if (p == nullptr) return invalid_argument("policy: is null");
  ADAHOP_TRY(validate(*p));
  constexpr const adahop_capabilities& can = kCapabilities;
  ADAHOP_TRY(check_claimed("scale_rule", can.scale_rules, p->scale_rule));
  ADAHOP_TRY(check_claimed("element_rounding", can.element_roundings, p->element_rounding));
  ADAHOP_TRY(check_claimed("nonfinite", can.nonfinite, p->nonfinite));
  ADAHOP_TRY(check_claimed("hadamard_signs", can.hadamard_signs, p->hadamard_signs));
  ADAHOP_TRY(check_claimed("hadamard_output", can.hadamard_outputs, p->hadamard_output));
  if (mode != ADAHOP_MODE_NATIVE) ADAHOP_TRY(check_claimed("gemm_model", can.gemm_models, p->gemm_model));
  ADAHOP_TRY(check_claimed("bf16_gemm_model", can.bf16_gemm_models, p->bf16_gemm_model));
  ADAHOP_TRY(check_claimed("output", can.outputs, p->output));
  ADAHOP_TRY(check_claimed("pad", can.pads, p->pad));
  ADAHOP_TRY(check_claimed("nibble_order", can.nibble_orders, p->nibble_order));
  ADAHOP_TRY(check_claimed("scale_layout", can.scale_layouts, p->scale_layout));
  ADAHOP_TRY(check_claimed("left_oe_on_dw", can.left_oe_on_dw, p->left_oe_on_dw));
  return {};
}

status check_shape(const char* what, int64_t rows, int64_t cols, int64_t want_rows, int64_t want_cols) {
  if (rows == want_rows && cols == want_cols) return {};
  return invalid_argument(fmt::format("{}: shape {} x {}, expected {} x {}", what, rows, cols, want_rows, want_cols));
}

status check_type(const char* what, const adahop_view& v, adahop_dtype want) {
  if (v.dtype == want) return {};
  return invalid_argument(fmt::format("{}: expected dtype {}", what, want == ADAHOP_BF16 ? "BF16" : "F32"));
}

// `multiple` is what the inner dimension must be one of, unless the policy pads it.
status check_inner(const char* what, const adahop_policy& p, int64_t inner, int64_t multiple) {
  if (p.pad == ADAHOP_PAD_ZERO || inner % multiple == 0) return {};
  return invalid_argument(fmt::format("{}: inner dimension {} is not a multiple of {}", what, inner, multiple));
}

status check_quantized(const adahop_policy& p, const adahop_view& x, const adahop_mx& out, int64_t multiple) {
  ADAHOP_TRY(check_view(x, "x"));
  ADAHOP_TRY(check_inner("x", p, x.cols, multiple));
  ADAHOP_TRY(check_mx(out, "out", p.scale_layout));
  return check_shape("out", out.outer, out.inner, x.rows, extended(p, x.cols));
}

// Before the list is read or memory for it is taken: `limit` is the dimension that the indices count.
status check_count(const char* what, const void* indices, int64_t count, int64_t limit) {
  if (count < 0 || count > limit)
    return invalid_argument(fmt::format("{}: count {} is outside 0 to {}", what, count, limit));
  if (count > 0 && indices == nullptr) return invalid_argument(fmt::format("{}: is null, expected {} indices", what, count));
  return {};
}

}  // namespace

status check_exec(const adahop_exec* exec) {
  if (exec == nullptr) return invalid_argument("exec: is null");
  if (exec->struct_size != sizeof(adahop_exec))
    return invalid_argument(fmt::format("exec: struct_size {}, expected {}", exec->struct_size, sizeof(adahop_exec)));
  if (exec->mode != ADAHOP_MODE_BITEXACT && exec->mode != ADAHOP_MODE_NATIVE)
    return invalid_argument(fmt::format("exec: mode {} is neither bitexact (0) nor native (1)", exec->mode));
  if (exec->memory != ADAHOP_MEMORY_HOST && exec->memory != ADAHOP_MEMORY_DEVICE)
    return invalid_argument(fmt::format("exec: memory {} is neither host (0) nor device (1)", exec->memory));
  return {};
}

status check_indices(const char* what, const int32_t* indices, int64_t count, int64_t limit) {
  for (int64_t i = 0; i < count; ++i) {
    if (indices[i] < 0 || indices[i] >= limit)
      return invalid_argument(fmt::format("{}[{}]: {} is outside 0 to {}", what, i, indices[i], limit - 1));
    if (i > 0 && indices[i] <= indices[i - 1])
      return invalid_argument(fmt::format("{}[{}]: {} after {}, expected unique indices in ascending order", what, i,
                                          indices[i], indices[i - 1]));
  }
  return {};
}

status check(const adahop_quantize_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  return check_quantized(*args.policy, args.x, args.out, kBlockSize);
}

status check(const adahop_dequantize_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_mx(args.x, "x", args.policy->scale_layout));
  ADAHOP_TRY(check_view(args.out, "out"));
  if (args.policy->pad == ADAHOP_PAD_ZERO && extended(*args.policy, args.out.cols) != args.x.inner)
    return invalid_argument(fmt::format("out: {} columns, expected a number that pad=zero extends to {}", args.out.cols,
                                        args.x.inner));
  const int64_t cols = args.policy->pad == ADAHOP_PAD_ZERO ? args.out.cols : args.x.inner;
  return check_shape("out", args.out.rows, args.out.cols, args.x.outer, cols);
}

status check(const adahop_hadamard_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_inner("x", *args.policy, args.x.cols, transform_multiple(*args.policy)));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_shape("out", args.out.rows, args.out.cols, args.x.rows, extended(*args.policy, args.x.cols)));
  return check_type("out (policy hadamard_output)", args.out, static_cast<adahop_dtype>(args.policy->hadamard_output));
}

status check(const adahop_hadamard_quantize_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_quantized(*args.policy, args.x, args.out, transform_multiple(*args.policy)));
  return check_count("zeroed", args.zeroed, args.zeroed_count, args.x.rows);
}

status check(const adahop_pattern_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_view(args.x, "x"));
  if (args.result == nullptr) return invalid_argument("result: is null");
  return {};
}

status check(const adahop_select_outliers_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_inner("x", *args.policy, args.x.cols, kBlockSize));
  if (args.x.cols == 0) return invalid_argument("x: length is 0");
  if (args.count == nullptr) return invalid_argument("count: is null");
  return check_count("indices", args.indices, args.x.rows, args.x.rows);
}

status check(const adahop_extract_outliers_args& args, adahop_mode) {
  ADAHOP_TRY(check_view(args.x, "x"));
  ADAHOP_TRY(check_type("x", args.x, ADAHOP_BF16));
  ADAHOP_TRY(check_count("indices", args.indices, args.count, args.x.rows));
  ADAHOP_TRY(check_view(args.out, "out"));
  ADAHOP_TRY(check_type("out", args.out, ADAHOP_BF16));
  return check_shape("out", args.out.rows, args.out.cols, args.count, args.x.cols);
}

status check(const adahop_mx_gemm_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_mx(args.a, "a", args.policy->scale_layout));
  ADAHOP_TRY(check_mx(args.b, "b", args.policy->scale_layout));
  ADAHOP_TRY(check_shape("b", args.b.outer, args.b.inner, args.b.outer, args.a.inner));
  ADAHOP_TRY(check_view(args.out, "out"));
  return check_shape("out", args.out.rows, args.out.cols, args.a.outer, args.b.outer);
}

status check(const adahop_bf16_gemm_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_view(args.a, "a"));
  ADAHOP_TRY(check_type("a", args.a, ADAHOP_BF16));
  ADAHOP_TRY(check_view(args.b, "b"));
  ADAHOP_TRY(check_type("b", args.b, ADAHOP_BF16));
  ADAHOP_TRY(check_shape("b", args.b.rows, args.b.cols, args.b.rows, args.a.cols));
  ADAHOP_TRY(check_view(args.out, "out"));
  return check_shape("out", args.out.rows, args.out.cols, args.a.rows, args.b.rows);
}

status check(const adahop_scatter_add_args& args, adahop_mode mode) {
  ADAHOP_TRY(check_policy(args.policy, mode));
  ADAHOP_TRY(check_view(args.c, "c"));
  ADAHOP_TRY(check_type("c", args.c, ADAHOP_F32));
  if (args.side != ADAHOP_SIDE_LEFT && args.side != ADAHOP_SIDE_RIGHT)
    return invalid_argument(fmt::format("side: {} is neither left (0) nor right (1)", args.side));
  const bool left = args.side == ADAHOP_SIDE_LEFT;
  ADAHOP_TRY(check_count("indices", args.indices, args.count, left ? args.c.rows : args.c.cols));
  ADAHOP_TRY(check_view(args.outlier, "outlier"));
  ADAHOP_TRY(check_type("outlier", args.outlier, ADAHOP_F32));
  ADAHOP_TRY(check_shape("outlier", args.outlier.rows, args.outlier.cols, left ? args.count : args.c.rows,
                         left ? args.c.cols : args.count));
  ADAHOP_TRY(check_view(args.out, "out"));
  return check_shape("out", args.out.rows, args.out.cols, args.c.rows, args.c.cols);
}

status check(const adahop_matmul_args& args, adahop_mode mode) {
  ADAHOP_TRY(check(adahop_bf16_gemm_args{args.policy, args.a, args.b, args.out}, mode));
  ADAHOP_TRY(check_type("out (policy output)", args.out, static_cast<adahop_dtype>(args.policy->output)));
  ADAHOP_TRY(check_inner("a", *args.policy, args.a.cols, transform_multiple(*args.policy)));
  if (args.a.cols == 0) return invalid_argument("a: K is 0");
  if (args.level != 1 && args.level != 2) return invalid_argument(fmt::format("level: {} is neither 1 nor 2", args.level));
  if (args.path < ADAHOP_PATH_FORWARD || args.path > ADAHOP_PATH_DW)
    return invalid_argument(fmt::format("path: {} is not forward (0), dX (1) or dW (2)", args.path));
  for (const int32_t pattern : {args.left_pattern, args.right_pattern})
    if (pattern < ADAHOP_PATTERN_NONE || pattern > ADAHOP_PATTERN_COLUMN)
      return invalid_argument(fmt::format("pattern: {} is not none (0), row (1) or column (2)", pattern));
  return {};
}

}  // namespace adahop::hip
