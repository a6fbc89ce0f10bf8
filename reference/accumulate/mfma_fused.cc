// One fused instruction. Implements SPEC 10.6, 10.12.
#include "reference/accumulate/mfma_fused.h"

#include "reference/accumulate/special_sum.h"
#include "reference/accumulate/superaccumulator.h"

namespace adahop::reference {

float accumulate_mfma_fused(float acc, const mx_rows& rows, int64_t first, int64_t count) {
  special_sum special;
  special.add(acc);
  if (special.any()) return special.value();  // terms are finite real numbers
  superaccumulator sum;
  sum.add(acc);
  for (int64_t i = first; i < first + count; ++i) sum.add(rows.dot_x4(i), rows.term_exponent(i));
  return sum.rounded();
}

}  // namespace adahop::reference
