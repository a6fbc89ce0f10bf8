// The strategy table and the whole product composed of the parts. Implements SPEC chapters 8, 11, 9.6 to 9.8, 10.10.
#pragma once
#include "gemm.h"
#include "hadamard.h"
#include "models.h"
#include "outliers.h"
#include "pattern.h"
#include "rounding.h"

namespace independent {

enum class path { forward, dx, dw };
enum class strategy { iht, oe_left, oe_right, bf16 };

/// The choices of a policy that a whole product depends on.
struct product_policy {
  scale_rule rule = scale_rule::even;
  int min_scale_byte = 0;
  rounding elements;
  transform hadamard;
  mx_accumulation mx;
  bf16_accumulation bf16;
  bool output_bf16 = true;
  int oe_k = 64;
  int foid_window = 64;
  bool left_oe_on_dw_is_iht = false;  ///< the policy value `port`
};

/// The published table (SPEC 8.4 to 8.6); level 1 or 2.
strategy strategy_of(int level, pattern left, pattern right, path where, bool left_oe_on_dw_is_iht);

/// Hadamard, then quantize, with the rows in `zeroed` taken as +0 throughout (SPEC 6.7, 6.8). x may have any number of
/// columns (pad=zero).
mx_tensor hadamard_quantize(fp32_matrix x, const std::vector<int>& zeroed, const product_policy& policy);

/// [M x N] from BF16 values a [M x K] and b [N x K], K any positive number. With output_bf16 the results are FP32
/// patterns of BF16 values.
fp32_matrix matmul(const fp32_matrix& a, const fp32_matrix& b, strategy how, const product_policy& policy);

}  // namespace independent
