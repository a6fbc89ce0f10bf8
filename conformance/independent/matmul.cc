// The strategy table and the whole product. Implements SPEC chapters 8 and 11, 9.6 to 9.8, 10.10.
#include "matmul.h"

namespace independent {
namespace {

struct table_row {
  pattern left, right;
  strategy level1, level2;
};

constexpr auto R = pattern::row, C = pattern::column, N = pattern::none;
constexpr table_row kTable[] = {
    {R, R, strategy::iht, strategy::iht},           {R, C, strategy::oe_right, strategy::oe_right},
    {R, N, strategy::oe_left, strategy::oe_left},   {C, R, strategy::iht, strategy::iht},
    {C, C, strategy::oe_right, strategy::bf16},     {C, N, strategy::iht, strategy::iht},
    {N, R, strategy::iht, strategy::iht},           {N, C, strategy::oe_right, strategy::oe_right},
    {N, N, strategy::iht, strategy::iht},
};

fp32_matrix copy_rows(const fp32_matrix& x, const std::vector<int>& rows) {
  fp32_matrix out(static_cast<int>(rows.size()), x.cols);
  for (size_t i = 0; i < rows.size(); ++i)
    for (int c = 0; c < x.cols; ++c) out.at(static_cast<int>(i), c) = x.at(rows[i], c);
  return out;
}

}  // namespace

strategy strategy_of(int level, pattern left, pattern right, path where, bool left_oe_on_dw_is_iht) {
  for (const table_row& row : kTable) {
    if (row.left != left || row.right != right) continue;
    const strategy chosen = level == 1 ? row.level1 : row.level2;
    if (chosen == strategy::oe_left && where == path::dw && left_oe_on_dw_is_iht) return strategy::iht;
    return chosen;
  }
  return strategy::iht;
}

mx_tensor hadamard_quantize(fp32_matrix x, const std::vector<int>& zeroed, const product_policy& policy) {
  for (const int row : zeroed)
    for (int c = 0; c < x.cols; ++c) x.at(row, c) = 0;
  const fp32_matrix transformed = hadamard(x, policy.hadamard);
  return quantize(transformed, policy.rule, policy.min_scale_byte, policy.elements, transformed.cols);
}

fp32_matrix matmul(const fp32_matrix& a, const fp32_matrix& b, strategy how, const product_policy& policy) {
  fp32_matrix out;
  if (how == strategy::bf16) {
    out = bf16_gemm(a, b, policy.bf16);
  } else {
    const auto outliers_of = [&policy](const fp32_matrix& x) {
      return choose_outliers(outlier_scores(zero_padded(x, policy.hadamard.size), policy.foid_window), policy.oe_k);
    };
    std::vector<int> rows_of_a, rows_of_b;
    if (how == strategy::oe_left) rows_of_a = outliers_of(a);
    if (how == strategy::oe_right) rows_of_b = outliers_of(b);
    const mx_tensor quantized_a = hadamard_quantize(a, rows_of_a, policy);
    product_policy right_policy = policy;
    right_policy.elements = right_operand(policy.elements, a.rows, quantized_a.inner);
    out = mx_gemm(quantized_a, hadamard_quantize(b, rows_of_b, right_policy), policy.mx);
    const fp32_matrix left = bf16_gemm(copy_rows(a, rows_of_a), b, policy.bf16);
    for (size_t i = 0; i < rows_of_a.size(); ++i)
      for (int n = 0; n < out.cols; ++n)
        out.at(rows_of_a[i], n) = add(out.at(rows_of_a[i], n), left.at(static_cast<int>(i), n));
    const fp32_matrix right = bf16_gemm(a, copy_rows(b, rows_of_b), policy.bf16);
    for (size_t i = 0; i < rows_of_b.size(); ++i)
      for (int m = 0; m < out.rows; ++m)
        out.at(m, rows_of_b[i]) = add(out.at(m, rows_of_b[i]), right.at(m, static_cast<int>(i)));
  }
  return policy.output_bf16 ? to_bf16(std::move(out)) : out;
}

}  // namespace independent
