// Alignment, truncation, and the last two roundings. Implements pieces of SPEC 10.15.
#include "reference/accumulate/aligned_sum.h"

#include <algorithm>
#include <bit>

#include "reference/accumulate/f32_parts.h"
#include "reference/accumulate/round_f32.h"

namespace adahop::reference {

accumulator_parts split_accumulator(float finite) {
  const f32_parts parts = split_f32(finite);
  return {parts.signed_significand(), parts.exponent + 23};
}

aligned_sum sum_truncated(std::span<const product> products, size_t first, size_t step) {
  int exponent = kNoExponent;
  for (size_t i = first; i < products.size(); i += step)
    if (products[i].significand != 0) exponent = std::max(exponent, products[i].exponent);
  int64_t sum = 0;
  constexpr int kWiden = kAlignedFractionBits - kProductFractionBits;
  for (size_t i = first; i < products.size(); i += step)
    if (products[i].significand != 0)
      sum += shift_truncated(int64_t{products[i].significand} * (1 << kWiden), exponent - products[i].exponent);
  return {sum, exponent};
}

void note_overflows(std::span<const product> products, special_sum& special) {
  for (const product& p : products) {
    // significand < 2^16 stands for less than 4, so only exponents of 127 and above can reach 2^128.
    if (p.significand == 0 || p.exponent < 127) continue;
    const int32_t magnitude = p.significand < 0 ? -p.significand : p.significand;
    const int top = 31 - std::countl_zero(static_cast<uint32_t>(magnitude));
    if (top + p.exponent - kProductFractionBits >= 128) special.add_inf(p.significand < 0);
  }
}

float round_normalised(int64_t sum, int exponent) {
  if (sum == 0) return 0.0f;
  const uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int surplus = std::max(0, 63 - std::countl_zero(magnitude) - kFinalFractionBits);
  const int64_t floored = shift_floored(sum, surplus);
  return float_of(round_f32(floored < 0, static_cast<uint64_t>(floored < 0 ? -floored : floored), exponent + surplus));
}

}  // namespace adahop::reference
