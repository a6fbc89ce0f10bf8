// The two roundings of a block. Implements SPEC 10.13.
#include "reference/accumulate/mfma_seq.h"

#include "reference/accumulate/round_f32.h"
#include "reference/accumulate/special_sum.h"
#include "reference/accumulate/superaccumulator.h"

namespace adahop::reference {

float accumulate_mfma_seq(float acc, int32_t dot_x4, int exponent) {
  const uint64_t magnitude = static_cast<uint64_t>(dot_x4 < 0 ? -dot_x4 : dot_x4);
  const float term = dot_x4 == 0 ? 0.0f : float_of(round_f32(dot_x4 < 0, magnitude, exponent));
  special_sum special;
  special.add(acc);
  special.add(term);
  if (special.any()) return special.value();
  superaccumulator sum;
  sum.add(acc);
  sum.add(term);
  return sum.rounded();
}

}  // namespace adahop::reference
