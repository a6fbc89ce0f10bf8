// GTR-FDPA: TR-FDPA in two halves. Implements SPEC 10.16.
#include "reference/accumulate/cdna3_gtrfdpa.h"

#include <algorithm>

#include "reference/accumulate/aligned_sum.h"

namespace adahop::reference {

float accumulate_cdna3_gtrfdpa(float acc, std::span<const product> products) {
  special_sum special;
  special.add(acc);
  note_overflows(products, special);
  if (special.any()) return special.value();

  const aligned_sum even = sum_truncated(products, 0, 2), odd = sum_truncated(products, 1, 2);
  const int e_dot = std::max(even.exponent, odd.exponent);
  const int64_t dot = shift_floored(even.sum, e_dot - even.exponent) + shift_floored(odd.sum, e_dot - odd.exponent);
  const accumulator_parts c = split_accumulator(acc);
  const int e = std::max(e_dot, c.exponent);
  // S' in units of 2^(E - 32), c' in units of 2^(E - 24); an accumulator far below is dropped before its floor.
  constexpr int kExtraBits = 8;
  const int64_t s = shift_floored(dot * (1 << kExtraBits), e - e_dot);
  const int64_t c_aligned = c.exponent < e - 25 ? 0 : shift_floored(c.significand * 2, e - c.exponent);
  return round_normalised(s + c_aligned * (1 << kExtraBits), e - kAlignedFractionBits - kExtraBits);
}

}  // namespace adahop::reference
