// Products of two rows as matrix hardware sees them: field exponents added, significands multiplied and left as they
// are. Implements the words of SPEC 10.15 and the operands of 10.18, 10.20 and 10.21.
#pragma once
#include <optional>
#include <vector>

#include "mxfp4.h"

namespace independent {

/// significand * 2^exponent, exact; the exponent is the sum of field exponents and scales. Means nothing where an
/// operand was NaN or Inf; then `nonfinite` holds the FP32 pattern of the product, NaN or an Inf.
struct product {
  rational significand;
  long exponent = 0;
  bool both_normal = true;  ///< no operand is zero or subnormal
  std::optional<uint32_t> nonfinite;

  rational value() const { return significand.scaled(exponent); }
};

/// One block pair: the codes' dot product, and the exponents of both scales together.
struct block_pair {
  rational dot;
  long exponent = 0;  ///< sa + sb - 254

  rational term() const { return dot.scaled(exponent); }
};

/// Whether a scale of row m of `a` or row n of `b` is NaN.
bool has_nan_scale(const mx_tensor& a, int m, const mx_tensor& b, int n);

/// The scaled products of row m of `a` and row n of `b`, in ascending k. No scale is NaN.
std::vector<product> mx_products(const mx_tensor& a, int m, const mx_tensor& b, int n);
std::vector<block_pair> mx_blocks(const mx_tensor& a, int m, const mx_tensor& b, int n);

/// The same of two BF16 values, as FP32 patterns, and of two rows of them.
product bf16_product(uint32_t a, uint32_t b);
std::vector<product> bf16_products(const fp32_matrix& a, int m, const fp32_matrix& b, int n);

}  // namespace independent
