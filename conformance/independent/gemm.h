// The MXFP4 product under block_rne and the BF16 product under seq_fma. Implements SPEC chapter 10.
#pragma once
#include "mxfp4.h"

namespace independent {

/// The dot product of two blocks of 32 codes, without scales: a multiple of 1/4.
rational block_dot(const uint8_t* a, const uint8_t* b);

/// acc + dot * 2^(sa-127) * 2^(sb-127), rounded once (SPEC 10.2 to 10.6).
uint32_t accumulate_block_rne(uint32_t acc, const rational& dot, uint8_t sa, uint8_t sb);

/// [M x N] from [M x K] and [N x K], FP32.
fp32_matrix mx_gemm(const mx_tensor& a, const mx_tensor& b);
fp32_matrix bf16_gemm(const fp32_matrix& a, const fp32_matrix& b);

/// Every element rounded to BF16.
fp32_matrix to_bf16(fp32_matrix x);

}  // namespace independent
