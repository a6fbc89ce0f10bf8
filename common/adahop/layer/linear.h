// A linear layer: its forward product, what it keeps for the backward pass and in how many bytes, and the two backward
// products from G_Y and what was kept alone. Implements SPEC 8.1, 8.3, 11.8 to 11.11.
#pragma once
#include "adahop/layer/method.h"
#include "adahop/layer/product.h"
#include "adahop/plan.h"

namespace adahop::layer {

/// Patterns of X, W and G_Y, each in its own orientation, as a plan has them.
struct layer_patterns {
  adahop_pattern x = ADAHOP_PATTERN_NONE, w = ADAHOP_PATTERN_NONE, gy = ADAHOP_PATTERN_NONE;
};

/// How a layer computes: one method, one policy, the planned patterns.
struct linear_rules {
  method how = method::adahop_lv1;
  layer_patterns patterns;
  policy numerics = default_policy();

  pattern_pair pair(adahop_path path) const { return pair_of_path(path, patterns.x, patterns.w, patterns.gy); }
  product_kind kind(adahop_path path) const {
    return kind_of(how, pair(path), path, static_cast<adahop_left_oe_on_dw>(numerics.left_oe_on_dw));
  }
};

/// T tokens, I inputs, O outputs.
struct linear_shape {
  int64_t tokens = 0, in = 0, out = 0;
};

/// What forward keeps for backward. X enters dW, so what is kept of it follows from G_Y's planned pattern too.
struct linear_saved {
  linear_rules rules;
  linear_shape shape;
  prepared_operand w;  ///< right operand of dX: W transposed, [I x O]
  prepared_operand x;  ///< right operand of dW: X transposed, [I x T]
};

/// Y = X W^T. x [T x I] and w [O x I] are BF16, y [T x O] has dtype numerics.output; host memory; nothing of x and w is
/// referred to afterwards. I, O and T are multiples of 32 and of hadamard_size unless the policy pads or the method is
/// `bf16`. ADAHOP_INVALID_ARGUMENT names the tensor and what was expected; else the backend's errors.
result<linear_saved> linear_forward(const adahop_backend& on, const linear_rules& rules, const adahop_view& x,
                                    const adahop_view& w, const adahop_view& y);

/// G_X = G_Y W and G_W = G_Y^T X from `saved` alone: gy [T x O] BF16, gx [T x I] and gw [O x I] of dtype
/// numerics.output. Equal to the whole products bit for bit (SPEC 11.10).
status linear_backward(const adahop_backend& on, const linear_saved& saved, const adahop_view& gy,
                       const adahop_view& gx, const adahop_view& gw);

/// The operands of a path's product as they enter it: left [M x K], right [N x K]. The view that a path does not use
/// may be anything.
struct product_operands {
  adahop_view left, right;
};
product_operands operands_of(adahop_path path, const adahop_view& x, const adahop_view& w, const adahop_view& gy);

/// SPEC 11.11 for one layer: of X for dW and of W for dX, against both tensors in BF16.
struct saved_bytes {
  byte_count x, w;
  int64_t x_bf16 = 0, w_bf16 = 0;
  int64_t total() const { return x.total() + w.total(); }
  int64_t total_bf16() const { return x_bf16 + w_bf16; }
};
saved_bytes bytes_of(const linear_saved& saved);

/// The same if both products were of `kind`.
saved_bytes bytes_of(const policy& p, product_kind kind, const linear_shape& shape);

}  // namespace adahop::layer
