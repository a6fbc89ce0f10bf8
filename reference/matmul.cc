// The four strategies of a product. Implements SPEC chapter 11.
#include "reference/matmul.h"

#include "reference/bf16_gemm.h"
#include "reference/extent.h"
#include "reference/hadamard_quantize.h"
#include "reference/mx_gemm.h"
#include "reference/outliers.h"
#include "reference/quantize.h"
#include "reference/scatter_add.h"

namespace adahop::reference {
namespace {

// What is quantized stays inside the product, so it lies in the linear layout whatever the policy's is.
status transform_and_quantize(policy p, const adahop_view& x, const char* what, mx_matrix& out) {
  p.scale_layout = ADAHOP_LAYOUT_LINEAR;
  out = mx_matrix(x.rows, extended_inner(p, x.cols));
  return check_nonfinite(p, hadamard_quantize(p, x, {}, view_of(out)), out.inner, what);
}

// SPEC 5.22: the random words of the right operand follow those of the left one, or come from the next seed.
policy policy_of_right(policy p, const adahop_view& a) {
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC)
    p.sr_offset += static_cast<uint64_t>(a.rows * extended_inner(p, a.cols));
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) p.sr_seed += 1;
  return p;
}

// SPEC 11.1
status inner_hadamard(const policy& p, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  mx_matrix qa, qb;
  ADAHOP_TRY(transform_and_quantize(p, a, "a", qa));
  ADAHOP_TRY(transform_and_quantize(policy_of_right(p, a), b, "b", qb));
  mx_gemm(p, view_of(qa), view_of(qb), out);
  return {};
}

// SPEC 11.2, 11.3: `side` is the operand whose outlier rows (of its own view) are taken out.
status outlier_extraction(const policy& p, adahop_side side, const adahop_view& a, const adahop_view& b,
                          const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const adahop_view& x = left ? a : b;
  const std::vector<int32_t> indices = top_k(scores(p, x), p.oe_k);
  const int64_t count = static_cast<int64_t>(indices.size());
  matrix<bf16> outliers(count, x.cols);
  extract(x, indices, view_of(outliers));
  const matrix<bf16> residual = zero(x, indices);

  matrix<float> mx_part(a.rows, b.rows);
  ADAHOP_TRY(inner_hadamard(p, left ? view_of(residual) : a, left ? b : view_of(residual), view_of(mx_part)));
  matrix<float> outlier_part = left ? matrix<float>(count, b.rows) : matrix<float>(a.rows, count);
  bf16_gemm(p, left ? view_of(outliers) : a, left ? b : view_of(outliers), view_of(outlier_part));
  scatter_add(view_of(mx_part), view_of(outlier_part), indices, side, out);
  return {};
}

}  // namespace

status matmul(const policy& p, strategy s, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  switch (s) {
    case strategy::iht: return inner_hadamard(p, a, b, out);
    case strategy::oe_left: return outlier_extraction(p, ADAHOP_SIDE_LEFT, a, b, out);
    case strategy::oe_right: return outlier_extraction(p, ADAHOP_SIDE_RIGHT, a, b, out);
    case strategy::bf16: bf16_gemm(p, a, b, out); return {};
  }
  return invalid_argument("matmul: unknown strategy");
}

status matmul(const policy& p, int level, pattern_pair pair, adahop_path path, const adahop_view& a,
              const adahop_view& b, const adahop_view& out) {
  const auto exception = static_cast<adahop_left_oe_on_dw>(p.left_oe_on_dw);
  return matmul(p, strategy_of(level, pair, path, exception), a, b, out);
}

}  // namespace adahop::reference
