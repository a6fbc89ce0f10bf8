// The two operands of a product as strided views of one layer's tensors (SPEC 8.1-8.3): X [T x I], W [O x I],
// G_Y [T x O]. Transposes are views, no data moves.
#pragma once
#include "adahop/plan.h"
#include "conformance/suites/generate.h"

namespace adahop::conformance {

/// The contraction of a product: C [M x N], inner dimension K.
struct product_shape {
  int64_t m = 0, k = 0, n = 0;
};

/// "33x64x40", M x K x N.
std::string text(const product_shape& s);

struct operands {
  view_input a, b;                             ///< as they enter: [M x K] and [N x K]
  view_input left, right;                      ///< the tensors behind them in their own orientation
  adahop_pattern left_pattern, right_pattern;  ///< intended patterns of those, in their own orientation
};

/// Operands of `path` from the layer's tensors; a tensor the path does not need may be null.
operands operands_of(adahop_path path, std::shared_ptr<const tensor> x, std::shared_ptr<const tensor> w,
                     std::shared_ptr<const tensor> gy);

/// Synthetic operands whose tensors are made to have the pair's patterns.
operands synthetic_operands(source what, const product_shape& shape, pattern_pair pair, adahop_path path, uint64_t seed,
                            bool pitched);

}  // namespace adahop::conformance
