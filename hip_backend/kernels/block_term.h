// Adding one block pair's term to an accumulator with a single rounding. Implements SPEC 10.2-10.6.
#pragma once
#include "adahop/formats/e8m0.h"
#include "kernels/elements.h"

namespace adahop::hip {

/// RNE(acc + S * 2^(sa + sb - 256)) from S / 4, |S| <= 4608. With lo <= hi the two bytes, the first factor
/// S/4 * 2^(min(lo, 244) - 127) is exact (below 2^128, a multiple of 2^-129), the second is exact, and the fma rounds
/// once; for lo > 244 the sum is Inf either way unless S is 0. A byte 0xFF is a NaN factor.
ADAHOP_DEVICE_FN float add_block_term(float acc, float quarter_dot, uint32_t scale_a, uint32_t scale_b) {
  const uint32_t low = scale_a < scale_b ? scale_a : scale_b;
  const uint32_t high = scale_a < scale_b ? scale_b : scale_a;
  const float scaled = quarter_dot * decode_e8m0(e8m0_of(low < 244 ? low : 244));
  return __builtin_fmaf(scaled, decode_e8m0(e8m0_of(high)), acc);
}

}  // namespace adahop::hip
