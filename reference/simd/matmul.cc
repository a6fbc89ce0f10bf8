// The four strategies of a product over the kernels. The left operand is quantized whole, the right one some rows
// at a time, so that no whole matrix but the left one's codes stands beside the operands. Implements SPEC 5.22
// and chapter 11.
#include "reference/simd/matmul.h"

#include "reference/extent.h"
#include "reference/matmul.h"
#include "reference/outliers.h"
#include "reference/quantize.h"
#include "reference/simd/bf16_gemm.h"
#include "reference/simd/mx_product.h"
#include "reference/simd/hadamard_quantize.h"
#include "reference/simd/mx_gemm.h"
#include "reference/simd/outliers.h"

namespace adahop::reference::simd {
namespace {

// The outliers of one operand, taken out of its quantized residual.
struct extraction {
  adahop_side side = ADAHOP_SIDE_LEFT;
  std::vector<int32_t> indices;
  matrix<float> product;

  std::span<const int32_t> zeroed(adahop_side of) const {
    return of == side ? std::span<const int32_t>(indices) : std::span<const int32_t>();
  }
};

// What is quantized stays inside the product, so it lies in the linear layout whatever the policy's is.
policy of_left(policy p) {
  p.scale_layout = ADAHOP_LAYOUT_LINEAR;
  return p;
}

// SPEC 5.22: the random words of the right operand follow those of the left one, or come from the next seed.
policy of_right(policy p, const adahop_view& a) {
  p.scale_layout = ADAHOP_LAYOUT_LINEAR;
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC)
    p.sr_offset += static_cast<uint64_t>(a.rows * extended_inner(p, a.cols));
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) p.sr_seed += 1;
  return p;
}

// Rows [first, first + out.outer) of x, with the random words and zeroed rows that they have in the whole of it; the
// report's index is that of the whole.
adahop_quantize_result quantize_rows_of(policy p, const adahop_view& x, int64_t first, std::span<const int32_t> zeroed,
                                        const adahop_mx& out) {
  adahop_view part = x;
  part.rows = out.outer;
  part.data = static_cast<bf16*>(x.data) + first * x.row_stride;
  p.sr_offset += static_cast<uint64_t>(first * out.inner);
  std::vector<int32_t> zeroed_here;
  for (const int32_t row : zeroed)
    if (row >= first && row < first + out.outer) zeroed_here.push_back(static_cast<int32_t>(row - first));
  adahop_quantize_result found = hadamard_quantize(p, part, zeroed_here, out);
  if (found.first_nonfinite >= 0) found.first_nonfinite += first * out.inner;
  return found;
}

// The models without a kernel: both operands whole, then mixed_gemm's own way.
status product_of_whole(const policy& p, const adahop_mx& qa, const adahop_view& a, const adahop_view& b,
                        const extraction* taken, const adahop_view& out) {
  const policy right = of_right(p, a);
  mx_matrix qb(b.rows, qa.inner);
  const auto zeroed = taken != nullptr ? taken->zeroed(ADAHOP_SIDE_RIGHT) : std::span<const int32_t>();
  ADAHOP_TRY(check_nonfinite(right, hadamard_quantize(right, b, zeroed, view_of(qb)), qb.inner, "b"));
  if (taken == nullptr)
    mx_gemm(p, qa, view_of(qb), out);
  else
    mixed_gemm(p, qa, view_of(qb), {taken->side, taken->indices, &taken->product}, out);
  return {};
}

// SPEC 11.1, and the MX part of 11.2 and 11.3 with the outliers added.
status inner_hadamard(const kernel_table& k, const policy& p, const adahop_view& a, const adahop_view& b,
                      const extraction* taken, const adahop_view& out) {
  const auto zeroed = [&](adahop_side of) { return taken != nullptr ? taken->zeroed(of) : std::span<const int32_t>(); };
  const policy left = of_left(p), right = of_right(p, a);
  mx_matrix qa(a.rows, extended_inner(p, a.cols));
  ADAHOP_TRY(check_nonfinite(left, hadamard_quantize(left, a, zeroed(ADAHOP_SIDE_LEFT), view_of(qa)), qa.inner, "a"));
  // gfx950_sr counts pairs from the operand's first row and has no offset.
  if (p.gemm_model != ADAHOP_GEMM_BLOCK_RNE || p.element_rounding == ADAHOP_ROUND_GFX950_SR)
    return product_of_whole(p, view_of(qa), a, b, taken, out);

  constexpr int64_t kPart = kOneChunkColumns;
  mx_matrix part(std::min(kPart, b.rows), qa.inner);
  mx_product product(k, view_of(qa), view_of(part), out);
  if (taken != nullptr) product.add_outliers({taken->side, taken->indices, &taken->product});
  gemm_loops loops(product);
  for (int64_t first = 0; first < b.rows; first += kPart) {
    adahop_mx columns = view_of(part);
    columns.outer = std::min(kPart, b.rows - first);
    const adahop_quantize_result found = quantize_rows_of(right, b, first, zeroed(ADAHOP_SIDE_RIGHT), columns);
    ADAHOP_TRY(check_nonfinite(right, found, columns.inner, "b"));
    product.set_columns(columns, first);
    loops.run(first, first + columns.outer);
  }
  return {};
}

// SPEC 11.2, 11.3: `side` is the operand whose outlier rows (of its own view) are taken out.
status outlier_extraction(const kernel_table& k, const policy& p, adahop_side side, const adahop_view& a,
                          const adahop_view& b, const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const adahop_view& x = left ? a : b;
  extraction taken{side, top_k(scores(p, x), p.oe_k), {}};
  const int64_t count = static_cast<int64_t>(taken.indices.size());
  matrix<bf16> outliers(count, x.cols);
  extract(x, taken.indices, view_of(outliers));
  taken.product = left ? matrix<float>(count, b.rows) : matrix<float>(a.rows, count);
  bf16_gemm(p, left ? view_of(outliers) : a, left ? b : view_of(outliers), view_of(taken.product));
  return inner_hadamard(k, p, a, b, &taken, out);
}

}  // namespace

status matmul(const policy& p, strategy s, const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  const kernel_table* const k = kernels();
  if (k == nullptr) return reference::matmul(p, s, a, b, out);
  switch (s) {
    case strategy::iht: return inner_hadamard(*k, p, a, b, nullptr, out);
    case strategy::oe_left: return outlier_extraction(*k, p, ADAHOP_SIDE_LEFT, a, b, out);
    case strategy::oe_right: return outlier_extraction(*k, p, ADAHOP_SIDE_RIGHT, a, b, out);
    case strategy::bf16: bf16_gemm(p, a, b, out); return {};
  }
  return invalid_argument("matmul: unknown strategy");
}

status matmul(const policy& p, int level, pattern_pair pair, adahop_path path, const adahop_view& a,
              const adahop_view& b, const adahop_view& out) {
  const auto exception = static_cast<adahop_left_oe_on_dw>(p.left_oe_on_dw);
  return matmul(p, strategy_of(level, pair, path, exception), a, b, out);
}

}  // namespace adahop::reference::simd
