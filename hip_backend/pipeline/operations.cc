// The operations of the C ABI over stages. Implements SPEC 5.15, 9.5, 13.2 and what the stages cite.
#include "pipeline/operations.h"

#include <algorithm>
#include <vector>

#include "pipeline/checks.h"
#include "pipeline/matmul.h"
#include "pipeline/pattern_verdict.h"
#include "pipeline/stages.h"

namespace adahop::hip {
namespace {

// A nonfinite element under `reject` fills the result and then is the status; other outputs are unspecified.
status finish(const context& on, const adahop_policy& p, const status& quantized, const device_mx& from,
              const adahop_mx& to) {
  ADAHOP_TRY(quantized);
  ADAHOP_TRY(on.target.synchronize(on.stream));
  return store_output(on, from, to, p.scale_layout);
}

status finish(const context& on, const device_matrix& from, const adahop_view& to) {
  ADAHOP_TRY(on.target.synchronize(on.stream));
  return store_output(on, from, to);
}

}  // namespace

status run(const context& on, const adahop_quantize_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  const adahop_policy& p = *args.policy;
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(out, stage_output(on, args.out, p.scale_layout));
  return finish(on, p, quantize(on, p, x.view, out.mx, args.result), out, args.out);
}

status run(const context& on, const adahop_dequantize_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(x, stage_input(on, args.x, args.policy->scale_layout));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(dequantize(on, *args.policy, x.mx, out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_hadamard_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_ASSIGN(signs, hadamard_signs(on, *args.policy, args.out.cols));
  ADAHOP_TRY(hadamard(on, *args.policy, x.view, signs.as<const uint32_t>(), out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_hadamard_quantize_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  const adahop_policy& p = *args.policy;
  ADAHOP_ASSIGN(zeroed, stage_indices(on, args.zeroed, args.zeroed_count));
  ADAHOP_TRY(check_indices("zeroed", zeroed.host.data(), args.zeroed_count, args.x.rows));
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(out, stage_output(on, args.out, p.scale_layout));
  ADAHOP_ASSIGN(positions, positions_of(on, zeroed.device.data, args.zeroed_count, args.x.rows));
  ADAHOP_ASSIGN(signs, hadamard_signs(on, p, args.out.inner));
  const status quantized = hadamard_quantize(on, p, x.view, signs.as<const uint32_t>(), positions.as<const int32_t>(),
                                             out.mx, args.result);
  return finish(on, p, quantized, out, args.out);
}

status run(const context& on, const adahop_pattern_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(rows, stage_output_array(on, args.row_variance, args.x.rows));
  ADAHOP_ASSIGN(cols, stage_output_array(on, args.col_variance, args.x.cols));
  ADAHOP_TRY(row_variances(on, x.view, rows.data));
  ADAHOP_TRY(row_variances(on, transposed(x.view), cols.data));
  ADAHOP_TRY(on.target.synchronize(on.stream));
  std::vector<double> row_variance(static_cast<size_t>(args.x.rows));
  std::vector<double> col_variance(static_cast<size_t>(args.x.cols));
  ADAHOP_TRY(store_output_array(on, rows, row_variance.data(), args.x.rows));
  ADAHOP_TRY(store_output_array(on, cols, col_variance.data(), args.x.cols));
  ADAHOP_TRY(store_output_array(on, rows, args.row_variance, args.x.rows));
  ADAHOP_TRY(store_output_array(on, cols, args.col_variance, args.x.cols));
  *args.result = pattern_verdict(*args.policy, row_variance, col_variance);
  return {};
}

status run(const context& on, const adahop_select_outliers_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  const int64_t k = std::min<int64_t>(args.policy->oe_k, args.x.rows);
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(scores, stage_output_array(on, args.scores, args.x.rows));
  ADAHOP_ASSIGN(indices, stage_output_array(on, args.indices, k));
  ADAHOP_TRY(select_outliers(on, *args.policy, x.view, k, scores.data, indices.data));
  ADAHOP_TRY(store_output_array(on, scores, args.scores, args.x.rows));
  ADAHOP_TRY(store_output_array(on, indices, args.indices, k));
  *args.count = k;
  return {};
}

status run(const context& on, const adahop_extract_outliers_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(indices, stage_indices(on, args.indices, args.count));
  ADAHOP_TRY(check_indices("indices", indices.host.data(), args.count, args.x.rows));
  ADAHOP_ASSIGN(x, stage_input(on, args.x));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(gather_outliers(on, x.view, indices.device.data, out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_mx_gemm_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(a, stage_input(on, args.a, args.policy->scale_layout));
  ADAHOP_ASSIGN(b, stage_input(on, args.b, args.policy->scale_layout));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(mx_gemm(on, *args.policy, a.mx, b.mx, out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_bf16_gemm_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  ADAHOP_ASSIGN(a, stage_input(on, args.a));
  ADAHOP_ASSIGN(b, stage_input(on, args.b));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(bf16_gemm(on, a.view, b.view, out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_scatter_add_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  const auto side = static_cast<adahop_side>(args.side);
  const int64_t lines = side == ADAHOP_SIDE_LEFT ? args.c.rows : args.c.cols;
  ADAHOP_ASSIGN(indices, stage_indices(on, args.indices, args.count));
  ADAHOP_TRY(check_indices("indices", indices.host.data(), args.count, lines));
  ADAHOP_ASSIGN(positions, positions_of(on, indices.device.data, args.count, lines));
  ADAHOP_ASSIGN(c, stage_input(on, args.c));
  ADAHOP_ASSIGN(outlier, stage_input(on, args.outlier));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(scatter_add(on, c.view, outlier.view, positions.as<const int32_t>(), side, out.view));
  return finish(on, out, args.out);
}

status run(const context& on, const adahop_matmul_args& args) {
  ADAHOP_TRY(check(args, on.mode));
  const route how = route_of(args.level, args.left_pattern, args.right_pattern, args.path, args.policy->left_oe_on_dw);
  ADAHOP_ASSIGN(a, stage_input(on, args.a));
  ADAHOP_ASSIGN(b, stage_input(on, args.b));
  ADAHOP_ASSIGN(out, stage_output(on, args.out));
  ADAHOP_TRY(matmul(on, *args.policy, how, a.view, b.view, out.view));
  return finish(on, out, args.out);
}

}  // namespace adahop::hip
