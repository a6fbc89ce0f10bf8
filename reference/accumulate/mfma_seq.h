// gemm_model mfma_seq: each term rounded to FP32, then added in FP32. Implements SPEC 10.13.
#pragma once
#include <cstdint>

namespace adahop::reference {

/// RNE(acc + RNE(dot_x4 * 2^exponent)), |dot_x4| <= 4608. The term may round to Inf, and Inf - Inf is NaN. An exact
/// zero sum is +0.
float accumulate_mfma_seq(float acc, int32_t dot_x4, int exponent);

}  // namespace adahop::reference
