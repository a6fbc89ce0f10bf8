// bf16_gemm_model exact_sum: all products summed exactly, rounded once; and what NaN and Inf make of a BF16 product.
// Implements SPEC 10.18.
#pragma once
#include "reference/accumulate/bf16_rows.h"
#include "reference/accumulate/special_sum.h"

namespace adahop::reference {

/// Notes what a * b is where an operand is not finite: NaN, Inf * 0, or an Inf.
void note_nonfinite(bf16 a, bf16 b, special_sum& special);

/// acc is finite.
float accumulate_bf16_exact_sum(float acc, const bf16_rows& rows);

}  // namespace adahop::reference
