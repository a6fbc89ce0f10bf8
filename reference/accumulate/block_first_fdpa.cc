// The aligned addition of block sums. Implements SPEC 10.6, 10.17.
#include "reference/accumulate/block_first_fdpa.h"

#include <algorithm>

#include "reference/accumulate/aligned_sum.h"
#include "reference/accumulate/round_f32.h"

namespace adahop::reference {

float accumulate_block_first_fdpa(float acc, const mx_rows& rows, int64_t first, int64_t count) {
  special_sum special;
  special.add(acc);
  if (special.any()) return special.value();  // block sums are finite real numbers

  // A block sum is S/4 * 2^x with x = sa + sb - 254; the term's own exponent is x - 2.
  const accumulator_parts c = split_accumulator(acc);
  int e = c.exponent;
  for (int64_t i = first; i < first + count; ++i)
    if (rows.dot_x4(i) != 0) e = std::max(e, rows.term_exponent(i) + 2);

  // Everything in units of 2^(E - 24): |S| < 2^13 gives 2^35 at most.
  int64_t sum = shift_truncated(c.significand * 2, e - c.exponent);
  for (int64_t i = first; i < first + count; ++i) {
    const int64_t dot = rows.dot_x4(i);
    if (dot != 0) sum += shift_truncated(dot * (1 << (kAlignedFractionBits - 2)), e - rows.term_exponent(i) - 2);
  }
  if (sum == 0) return 0.0f;
  const uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  return float_of(round_f32(sum < 0, magnitude, e - kAlignedFractionBits));
}

}  // namespace adahop::reference
