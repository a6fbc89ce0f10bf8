// The exact sum of an MX dot product. Implements SPEC 10.2, 10.11.
#include "reference/accumulate/exact_sum.h"

#include "reference/accumulate/superaccumulator.h"

namespace adahop::reference {

float accumulate_exact_sum(float acc, const mx_rows& rows) {
  superaccumulator sum;
  sum.add(acc);
  for (int64_t i = 0; i < rows.blocks; ++i) sum.add(rows.dot_x4(i), rows.term_exponent(i));
  return sum.rounded();
}

}  // namespace adahop::reference
