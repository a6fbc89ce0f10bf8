// Every accumulation model of the MX and of the BF16 product, on whole rows and on whole matrices.
// Implements SPEC 10.4 to 10.19.
#pragma once
#include <span>

#include "products.h"

namespace independent {

enum class mx_model { block_rne, exact_sum, mfma_fused, mfma_seq, cdna3_trfdpa, cdna3_gtrfdpa, block_first_fdpa };
enum class bf16_model { seq_fma, exact_sum, cdna3_trfdpa };

/// A model and its n (blocks) or L (products); `group` is not used where a model has none.
struct mx_accumulation {
  mx_model model = mx_model::block_rne;
  int group = 0;
};
struct bf16_accumulation {
  bf16_model model = bf16_model::seq_fma;
  int group = 0;
};

/// Row m of `a` by row n of `b`, from accumulator +0: an FP32 pattern.
uint32_t mx_dot(const mx_tensor& a, int m, const mx_tensor& b, int n, mx_accumulation how);
uint32_t bf16_dot(const fp32_matrix& a, int m, const fp32_matrix& b, int n, bf16_accumulation how);

/// One step of a model onto `acc`, which is not NaN: the exact sum of the group's terms added and rounded once
/// (mfma_fused), or one term rounded by itself and then added (mfma_seq).
uint32_t accumulate_fused(uint32_t acc, std::span<const block_pair> group);
uint32_t accumulate_seq(uint32_t acc, const block_pair& block);

/// The exact sum of products that are all finite.
rational exact_sum(std::span<const product> products);

/// [M x N] from [M x K] and [N x K], FP32.
fp32_matrix mx_gemm(const mx_tensor& a, const mx_tensor& b, mx_accumulation how);
fp32_matrix bf16_gemm(const fp32_matrix& a, const fp32_matrix& b, bf16_accumulation how);

}  // namespace independent
