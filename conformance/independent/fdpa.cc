// Aligned additions by exact rationals, cut where the algorithms cut. Implements SPEC 10.15 to 10.17.
#include "fdpa.h"

#include <algorithm>

namespace independent {
namespace {

constexpr long kFractionBits = 24;       // of products, block sums and the accumulator
constexpr long kSumFractionBits = 32;    // of the sum of products beside the accumulator
constexpr long kResultFractionBits = 31; // of the normalised result
constexpr long kDropDistance = 25;       // an accumulator further below is dropped by GTR-FDPA
constexpr long kMinExponent = -126;

long exponent_of(uint32_t acc) {
  const rational magnitude = value_of(acc).magnitude();
  return magnitude < power_of_two(kMinExponent) ? kMinExponent : magnitude.floor_log2();
}

/// NaN or an Inf if the accumulator or a product is one, or a product is 2^128 or more; nothing otherwise.
std::optional<uint32_t> special_sum(uint32_t acc, std::span<const product> group) {
  bool nan = is_nan(acc), plus = acc == kInfBits, minus = acc == (kSignBit | kInfBits);
  for (const product& p : group) {
    if (p.nonfinite) {
      nan = nan || is_nan(*p.nonfinite);
      plus = plus || *p.nonfinite == kInfBits;
      minus = minus || *p.nonfinite == (kSignBit | kInfBits);
    } else if (p.value().magnitude() >= power_of_two(128)) {
      (p.significand.sign() > 0 ? plus : minus) = true;
    }
  }
  if (nan || (plus && minus)) return kNanBits;
  if (plus) return kInfBits;
  if (minus) return kSignBit | kInfBits;
  return std::nullopt;
}

constexpr long kNoExponent = -999;  // of a sum of zero products: below every other

/// A sum that holds no bits below the 24th fraction bit at `exponent`.
struct aligned_sum {
  rational value;
  long exponent = kNoExponent;
};

/// Of every `step`-th product from `first`.
aligned_sum truncated_sum(std::span<const product> group, size_t first, size_t step) {
  aligned_sum sum;
  for (size_t i = first; i < group.size(); i += step)
    if (group[i].significand.sign() != 0) sum.exponent = std::max(sum.exponent, group[i].exponent);
  for (size_t i = first; i < group.size(); i += step)
    sum.value = sum.value + group[i].value().truncated_to(sum.exponent - kFractionBits);
  return sum;
}

uint32_t rounded_result(const rational& sum) {
  if (sum.sign() == 0) return 0;
  return round_to_fp32(sum.floor_to(sum.magnitude().floor_log2() - kResultFractionBits));
}

}  // namespace

uint32_t tr_fdpa(uint32_t acc, std::span<const product> group) {
  if (const auto special = special_sum(acc, group)) return *special;
  const aligned_sum sum = truncated_sum(group, 0, 1);
  const long acc_exponent = exponent_of(acc);
  const long top = std::max(sum.exponent, acc_exponent);
  return rounded_result(sum.value.floor_to(top - kSumFractionBits) + value_of(acc).floor_to(top - kFractionBits));
}

uint32_t gtr_fdpa(uint32_t acc, std::span<const product> group) {
  if (const auto special = special_sum(acc, group)) return *special;
  const aligned_sum even = truncated_sum(group, 0, 2), odd = truncated_sum(group, 1, 2);
  const long acc_exponent = exponent_of(acc);
  const long dot_exponent = std::max(even.exponent, odd.exponent);
  const long top = std::max(dot_exponent, acc_exponent);
  const rational products =
      even.value.floor_to(dot_exponent - kFractionBits) + odd.value.floor_to(dot_exponent - kFractionBits);
  const rational kept = acc_exponent < top - kDropDistance ? rational(0) : value_of(acc).floor_to(top - kFractionBits);
  return rounded_result(products.floor_to(top - kSumFractionBits) + kept);
}

uint32_t block_first_fdpa(uint32_t acc, std::span<const block_pair> group) {
  if (is_inf(acc)) return acc;
  long top = exponent_of(acc);
  for (const block_pair& block : group)
    if (block.dot.sign() != 0) top = std::max(top, block.exponent);
  rational sum = value_of(acc).truncated_to(top - kFractionBits);
  for (const block_pair& block : group) sum = sum + block.term().truncated_to(top - kFractionBits);
  return round_to_fp32(sum);
}

}  // namespace independent
