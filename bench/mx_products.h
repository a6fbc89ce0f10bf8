// Products of MXFP4 operands as sides: of any backend, with outlier rows added, and the same loops in plain int8.
#pragma once
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"
#include "bench/session.h"

namespace adahop::bench {

/// a [m x k] times the transpose of b [n x k] in FP32 under the default policy.
struct mx_product {
  policy rules = default_policy();
  int64_t m, n, k;
  mx_tensor a, b;
  tensor<float> out, by_oracle;
  std::string expected;

  mx_product(const session& s, int64_t m, int64_t n, int64_t k);

  double work() const { return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k); }
  /// The product by `on` to `to`, which like this lives as long as the side.
  side of(const char* name, target on, const tensor<float>& to) const;
};

/// The same product by the same loops, packing and blocking, over register tiles that only sum int8 products: what the block
/// scales of the MX product cost shows against it.
class int8_product {
 public:
  explicit int8_product(const mx_product& p);
  side as_side() const;

 private:
  bytes output() const { return std::as_writable_bytes(std::span(out_.data)); }

  const mx_product& mx_;
  mutable matrix<int32_t> out_;
  std::string expected_;
};

/// The product with the BF16 product of `count` outlier rows added.
class mixed_product {
 public:
  mixed_product(const session& s, const mx_product& p, int64_t count);
  side as_side() const;

 private:
  void run() const;

  const mx_product& mx_;
  target simd_;
  std::vector<int32_t> rows_;
  tensor<bf16> a_, b_;
  mutable matrix<float> outliers_;
  tensor<float> out_;
  std::string expected_;
};

}  // namespace adahop::bench
