// Accumulation models by exact rationals, rounded where each model says. Implements SPEC 10.4 to 10.19.
#include "models.h"

#include <algorithm>

#include "fdpa.h"
#include "gemm.h"

namespace independent {
namespace {

/// acc = step(acc, the next `size` of `all`), from +0; the last group may be shorter.
template <class T, class Step>
uint32_t chain(const std::vector<T>& all, int size, Step step) {
  uint32_t acc = 0;
  const std::span<const T> rest(all);
  const size_t length = static_cast<size_t>(size);
  for (size_t first = 0; first < all.size(); first += length)
    acc = step(acc, rest.subspan(first, std::min(length, all.size() - first)));
  return acc;
}

/// SPEC 10.18, with the Inf of products from operands alone: a large finite product is no Inf here.
uint32_t bf16_exact_sum(const std::vector<product>& products) {
  bool nan = false, plus = false, minus = false;
  rational sum;
  for (const product& p : products) {
    if (!p.nonfinite) {
      sum = sum + p.value();
      continue;
    }
    nan = nan || is_nan(*p.nonfinite);
    (is_negative(*p.nonfinite) ? minus : plus) = true;
  }
  if (nan || (plus && minus)) return kNanBits;
  if (plus || minus) return plus ? kInfBits : kSignBit | kInfBits;
  return round_to_fp32(sum);
}

}  // namespace

uint32_t accumulate_fused(uint32_t acc, std::span<const block_pair> group) {
  if (is_inf(acc)) return acc;  // every term is finite
  rational sum = value_of(acc);
  for (const block_pair& block : group) sum = sum + block.term();
  return round_to_fp32(sum);
}

uint32_t accumulate_seq(uint32_t acc, const block_pair& block) {
  const uint32_t sum = add(acc, round_to_fp32(block.term()));
  return is_zero(sum) ? 0u : sum;
}

rational exact_sum(std::span<const product> products) {
  rational sum;
  for (const product& p : products) sum = sum + p.value();
  return sum;
}

uint32_t mx_dot(const mx_tensor& a, int m, const mx_tensor& b, int n, mx_accumulation how) {
  if (has_nan_scale(a, m, b, n)) return kNanBits;
  switch (how.model) {
    case mx_model::exact_sum: return round_to_fp32(exact_sum(mx_products(a, m, b, n)));
    case mx_model::block_rne: return chain(mx_blocks(a, m, b, n), 1, accumulate_fused);
    case mx_model::mfma_fused: return chain(mx_blocks(a, m, b, n), how.group, accumulate_fused);
    case mx_model::mfma_seq:
      return chain(mx_blocks(a, m, b, n), 1, [](uint32_t acc, std::span<const block_pair> group) {
        return accumulate_seq(acc, group.front());
      });
    case mx_model::cdna3_trfdpa: return chain(mx_products(a, m, b, n), how.group, tr_fdpa);
    case mx_model::cdna3_gtrfdpa: return chain(mx_products(a, m, b, n), how.group, gtr_fdpa);
    case mx_model::block_first_fdpa: return chain(mx_blocks(a, m, b, n), how.group, block_first_fdpa);
  }
  return kNanBits;
}

uint32_t bf16_dot(const fp32_matrix& a, int m, const fp32_matrix& b, int n, bf16_accumulation how) {
  switch (how.model) {
    case bf16_model::seq_fma: {
      uint32_t acc = 0;
      for (int k = 0; k < a.cols; ++k) acc = fused_multiply_add(a.at(m, k), b.at(n, k), acc);
      return acc;
    }
    case bf16_model::exact_sum: return bf16_exact_sum(bf16_products(a, m, b, n));
    case bf16_model::cdna3_trfdpa: return chain(bf16_products(a, m, b, n), how.group, tr_fdpa);
  }
  return kNanBits;
}

fp32_matrix mx_gemm(const mx_tensor& a, const mx_tensor& b, mx_accumulation how) {
  fp32_matrix out(a.outer, b.outer);
  for (int m = 0; m < a.outer; ++m)
    for (int n = 0; n < b.outer; ++n) out.at(m, n) = mx_dot(a, m, b, n, how);
  return out;
}

fp32_matrix bf16_gemm(const fp32_matrix& a, const fp32_matrix& b, bf16_accumulation how) {
  fp32_matrix out(a.rows, b.rows);
  for (int m = 0; m < a.rows; ++m)
    for (int n = 0; n < b.rows; ++n) out.at(m, n) = bf16_dot(a, m, b, n, how);
  return out;
}

}  // namespace independent
