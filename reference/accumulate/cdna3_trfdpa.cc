// TR-FDPA: truncate the products, round the aligned sums down. Implements SPEC 10.15.
#include "reference/accumulate/cdna3_trfdpa.h"

#include <algorithm>

#include "reference/accumulate/aligned_sum.h"

namespace adahop::reference {

float accumulate_cdna3_trfdpa(float acc, std::span<const product> products, special_sum special) {
  special.add(acc);
  note_overflows(products, special);
  if (special.any()) return special.value();

  const aligned_sum dot = sum_truncated(products, 0, 1);
  const accumulator_parts c = split_accumulator(acc);
  const int e = std::max(dot.exponent, c.exponent);
  // S' in units of 2^(E - 32): |dot.sum| < 128 * 2^26, so eight more bits stay below 2^42.
  constexpr int kExtraBits = 8;
  const int64_t s = shift_floored(dot.sum * (1 << kExtraBits), e - dot.exponent);
  // c' in units of 2^(E - 24).
  const int64_t c_aligned = shift_floored(c.significand * 2, e - c.exponent);
  return round_normalised(s + c_aligned * (1 << kExtraBits), e - kAlignedFractionBits - kExtraBits);
}

}  // namespace adahop::reference
