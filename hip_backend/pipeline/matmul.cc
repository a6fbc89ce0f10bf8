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

// Both operands Hadamard+quantized; marked rows of a and of b count as +0.
result<mx_pair> transformed_operands(const context& on, const adahop_policy& p, const adahop_view& a,
                                     const int32_t* a_positions, const adahop_view& b, const int32_t* b_positions) {
  const int64_t k = extended(p, a.cols);
  ADAHOP_ASSIGN(a_mx, make_mx(on, a.rows, k, p.scale_layout));
  ADAHOP_ASSIGN(b_mx, make_mx(on, b.rows, k, p.scale_layout));
  ADAHOP_ASSIGN(signs, hadamard_signs(on, p, k));
  const auto* const sign_words = signs.as<const uint32_t>();
  ADAHOP_TRY(hadamard_quantize(on, p, a, sign_words, a_positions, a_mx.mx, nullptr));
  ADAHOP_TRY(hadamard_quantize(on, right_policy(p, a.rows * k), b, sign_words, b_positions, b_mx.mx, nullptr));
  ADAHOP_TRY(on.target.synchronize(on.stream));  // the signs are freed here
  return mx_pair{std::move(a_mx), std::move(b_mx)};
}

status transformed_product(const context& on, const adahop_policy& p, const adahop_view& a, const int32_t* a_positions,
                           const adahop_view& b, const int32_t* b_positions, const adahop_view& out) {
  ADAHOP_ASSIGN(operands, transformed_operands(on, p, a, a_positions, b, b_positions));
  ADAHOP_TRY(mx_gemm(on, p, operands.a.mx, operands.b.mx, out));
  return on.target.synchronize(on.stream);
}

// Chosen rows of one operand: which (positions, see positions_of()) and their indices.
struct chosen_rows {
  int64_t count;
  device_buffer indices, positions;
};

result<chosen_rows> choose_rows(const context& on, const adahop_policy& p, const adahop_view& source) {
  const int64_t k = std::min<int64_t>(p.oe_k, source.rows);
  ADAHOP_ASSIGN(scores, allocate(on, source.rows * static_cast<int64_t>(sizeof(float))));
  ADAHOP_ASSIGN(indices, allocate(on, k * static_cast<int64_t>(sizeof(int32_t))));
  ADAHOP_TRY(select_outliers(on, p, source, k, scores.as<float>(), indices.as<int32_t>()));
  ADAHOP_ASSIGN(positions, positions_of(on, indices.as<int32_t>(), k, source.rows));
  return chosen_rows{k, std::move(indices), std::move(positions)};
}

// `side` says whose rows are extracted: rows of a are rows of the product, rows of b its columns. One launch for both
// products and their sum.
status fused_product(const context& on, const adahop_policy& p, adahop_side side, const chosen_rows& chosen,
                     const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const auto* const marks = chosen.positions.as<const int32_t>();
  ADAHOP_ASSIGN(residual, transformed_operands(on, p, a, left ? marks : nullptr, b, left ? nullptr : marks));
  ADAHOP_ASSIGN(part, make_matrix(on, ADAHOP_F32, chosen.count, left ? b.rows : a.rows));
  ADAHOP_TRY(outlier_gemm(on, p, residual, a, b, marks, side, static_cast<float*>(part.view.data), out));
  return on.target.synchronize(on.stream);
}

// The same in the portable kernels' steps.
status separate_product(const context& on, const adahop_policy& p, adahop_side side, const chosen_rows& chosen,
                        const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  const bool left = side == ADAHOP_SIDE_LEFT;
  const auto* const marks = chosen.positions.as<const int32_t>();
  const adahop_view& source = left ? a : b;
  ADAHOP_ASSIGN(outliers, make_matrix(on, ADAHOP_BF16, chosen.count, source.cols));
  ADAHOP_TRY(gather_outliers(on, source, chosen.indices.as<int32_t>(), outliers.view));
  ADAHOP_ASSIGN(mx_part, make_matrix(on, ADAHOP_F32, a.rows, b.rows));
  ADAHOP_TRY(transformed_product(on, p, a, left ? marks : nullptr, b, left ? nullptr : marks, mx_part.view));

  ADAHOP_ASSIGN(outlier_part, make_matrix(on, ADAHOP_F32, left ? chosen.count : a.rows, left ? b.rows : chosen.count));
  ADAHOP_TRY(bf16_gemm(on, left ? outliers.view : a, left ? b : outliers.view, outlier_part.view));
  ADAHOP_TRY(scatter_add(on, mx_part.view, outlier_part.view, marks, side, out));
  return on.target.synchronize(on.stream);
}

status extracted_product(const context& on, const adahop_policy& p, adahop_side side, const adahop_view& a,
                         const adahop_view& b, const adahop_view& out) {
  ADAHOP_ASSIGN(chosen, choose_rows(on, p, side == ADAHOP_SIDE_LEFT ? a : b));
  return on.takes_tuned() ? fused_product(on, p, side, chosen, a, b, out)
                          : separate_product(on, p, side, chosen, a, b, out);
}

}  // namespace

status matmul(const context& on, const adahop_policy& asked, route how, const adahop_view& a, const adahop_view& b,
              const adahop_view& out) {
  // Nobody else sees the quantized operands: their scales lie as the tuned products want them.
  adahop_policy p = asked;
  if (on.takes_tuned()) p.scale_layout = ADAHOP_LAYOUT_GFX950_SHUFFLE;
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
