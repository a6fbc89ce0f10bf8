// The exact sum of a BF16 dot product. Implements SPEC 10.18.
#include "reference/accumulate/bf16_exact_sum.h"

#include "reference/accumulate/product.h"
#include "reference/accumulate/superaccumulator.h"

namespace adahop::reference {

void note_nonfinite(bf16 a, bf16 b, special_sum& special) {
  if (is_finite(a) && is_finite(b)) return;
  const bool zero = (a.bits & 0x7FFFu) == 0 || (b.bits & 0x7FFFu) == 0;
  if (is_nan(a) || is_nan(b) || zero)
    special.add_nan();
  else
    special.add_inf(((a.bits ^ b.bits) & 0x8000u) != 0);
}

float accumulate_bf16_exact_sum(float acc, const bf16_rows& rows) {
  special_sum special;
  superaccumulator sum;
  sum.add(acc);
  for (int64_t i = 0; i < rows.k; ++i) {
    const bf16 x = rows.a_at(i), y = rows.b_at(i);
    note_nonfinite(x, y, special);
    if (special.any()) continue;
    const product p = product_of(x, y);
    sum.add(p.significand, p.exponent - kProductFractionBits);
  }
  return special.any() ? special.value() : sum.rounded();
}

}  // namespace adahop::reference
