// bf16_gemm_model seq_fma: one product added to the accumulator with one rounding. Implements SPEC 10.9.
#pragma once
#include <cmath>

#include "adahop/formats/bf16.h"

namespace adahop::reference {

/// RNE_FP32(a * b + acc); the caller holds the default floating-point environment. A NaN stays one, payload unspecified.
inline float accumulate_seq_fma(float acc, bf16 a, bf16 b) { return std::fma(decode_bf16(a), decode_bf16(b), acc); }

}  // namespace adahop::reference
