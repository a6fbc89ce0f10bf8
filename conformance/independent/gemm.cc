// MXFP4 and BF16 products by exact rationals, rounded where the model says. Implements SPEC chapter 10.
#include "gemm.h"

namespace independent {

rational block_dot(const uint8_t* a, const uint8_t* b) {
  rational sum;
  for (int i = 0; i < kBlock; ++i) sum = sum + value_of_code(a[i]) * value_of_code(b[i]);
  return sum;
}

uint32_t accumulate_block_rne(uint32_t acc, const rational& dot, uint8_t sa, uint8_t sb) {
  if (is_nan(acc) || sa == kNanScale || sb == kNanScale) return kNanBits;
  if (is_inf(acc)) return acc;  // every term is finite
  return round_to_fp32(value_of(acc) + dot * value_of_scale(sa) * value_of_scale(sb));
}

fp32_matrix mx_gemm(const mx_tensor& a, const mx_tensor& b) {
  fp32_matrix out(a.outer, b.outer);
  const int blocks = a.inner / kBlock;
  for (int m = 0; m < a.outer; ++m)
    for (int n = 0; n < b.outer; ++n) {
      uint32_t acc = 0;
      for (int block = 0; block < blocks; ++block) {
        const size_t a_block = static_cast<size_t>(m * blocks + block);
        const size_t b_block = static_cast<size_t>(n * blocks + block);
        const rational dot = block_dot(&a.codes[a_block * kBlock], &b.codes[b_block * kBlock]);
        acc = accumulate_block_rne(acc, dot, a.scales[a_block], b.scales[b_block]);
      }
      out.at(m, n) = acc;
    }
  return out;
}

fp32_matrix bf16_gemm(const fp32_matrix& a, const fp32_matrix& b) {
  fp32_matrix out(a.rows, b.rows);
  for (int m = 0; m < a.rows; ++m)
    for (int n = 0; n < b.rows; ++n) {
      uint32_t acc = 0;
      for (int k = 0; k < a.cols; ++k) acc = fused_multiply_add(a.at(m, k), b.at(n, k), acc);
      out.at(m, n) = acc;
    }
  return out;
}

fp32_matrix to_bf16(fp32_matrix x) {
  for (uint32_t& v : x.bits) v = widen_bf16(bf16_of(v));
  return x;
}

}  // namespace independent
