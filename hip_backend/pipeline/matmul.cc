// The order of stages for each route of a product. Implements SPEC 11.1-11.4, 5.22.
#include "pipeline/matmul.h"

#include <algorithm>

#include "pipeline/extent.h"

namespace adahop::hip {
namespace {

// The policy of the right operand, whose random words are not those of the left one (SPEC 5.22).
adahop_policy right_policy(const adahop_policy& p, int64_t left_elements) {
  adahop_policy right = p;
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) right.sr_offset += static_cast<uint64_t>(left_elements);
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) right.sr_seed += 1;
  return right;
}

// The policy of operands that nobody else sees: scales lie as the tuned products want them.
adahop_policy inner_policy(const context& on, const adahop_policy& p) {
  adahop_policy inner = p;
  if (on.tuned) inner.scale_layout = ADAHOP_LAYOUT_GFX950_SHUFFLE;
  return inner;
}

// Both operands Hadamard+quantized and multiplied into `out`; marked rows of a and of b count as +0.
status transformed_product(const context& on, const adahop_policy& outer, const adahop_view& a, const int32_t* a_positions,
                           const adahop_view& b, const int32_t* b_positions, const adahop_view& out) {
  const adahop_policy p = inner_policy(on, outer);
  const int64_t k = extended(p, a.cols);
  ADAHOP_ASSIGN(a_mx, make_mx(on, a.rows, k, p.scale_layout));
  ADAHOP_ASSIGN(b_mx, make_mx(on, b.rows, k, p.scale_layout));
  ADAHOP_ASSIGN(signs, hadamard_signs(on, p, k));
  const auto* const sign_words = signs.as<const uint32_t>();
  ADAHOP_TRY(hadamard_quantize(on, p, a, sign_words, a_positions, a_mx.mx, nullptr));
  ADAHOP_TRY(hadamard_quantize(on, right_policy(p, a.rows * k), b, sign_words, b_positions, b_mx.mx, nullptr));
  ADAHOP_TRY(mx_gemm(on, p, a_mx.mx, b_mx.mx, out));
  return on.target.synchronize(on.stream);
}

// `side` says whose rows are extracted: rows of a are rows of the product, rows of b its columns.
status extracted_product(const context& on, const adahop_policy& p, adahop_side side, const adahop_view& a,
                         const adahop_view& b, const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const adahop_view& source = left ? a : b;
  const int64_t k = std::min<int64_t>(p.oe_k, source.rows);
  ADAHOP_ASSIGN(scores, allocate(on, source.rows * static_cast<int64_t>(sizeof(float))));
  ADAHOP_ASSIGN(indices, allocate(on, k * static_cast<int64_t>(sizeof(int32_t))));
  ADAHOP_TRY(select_outliers(on, p, source, k, scores.as<float>(), indices.as<int32_t>()));
  ADAHOP_ASSIGN(outliers, make_matrix(on, ADAHOP_BF16, k, source.cols));
  ADAHOP_TRY(gather_outliers(on, source, indices.as<int32_t>(), outliers.view));
  ADAHOP_ASSIGN(positions, positions_of(on, indices.as<int32_t>(), k, source.rows));
  const auto* const marks = positions.as<const int32_t>();

  ADAHOP_ASSIGN(mx_part, make_matrix(on, ADAHOP_F32, a.rows, b.rows));
  ADAHOP_TRY(transformed_product(on, p, a, left ? marks : nullptr, b, left ? nullptr : marks, mx_part.view));

  ADAHOP_ASSIGN(outlier_part, make_matrix(on, ADAHOP_F32, left ? k : a.rows, left ? b.rows : k));
  ADAHOP_TRY(bf16_gemm(on, left ? outliers.view : a, left ? b : outliers.view, outlier_part.view));
  ADAHOP_TRY(scatter_add(on, mx_part.view, outlier_part.view, marks, side, out));
  return on.target.synchronize(on.stream);
}

}  // namespace

status matmul(const context& on, const adahop_policy& p, route how, const adahop_view& a, const adahop_view& b,
              const adahop_view& out) {
  switch (how) {
    case route::iht: return transformed_product(on, p, a, nullptr, b, nullptr, out);
    case route::oe_left: return extracted_product(on, p, ADAHOP_SIDE_LEFT, a, b, out);
    case route::oe_right: return extracted_product(on, p, ADAHOP_SIDE_RIGHT, a, b, out);
    case route::bf16: break;
  }
  ADAHOP_TRY(bf16_gemm(on, a, b, out));
  return on.target.synchronize(on.stream);
}

}  // namespace adahop::hip
