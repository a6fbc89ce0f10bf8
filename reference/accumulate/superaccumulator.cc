// Carries, and the two ways out of the exact sum: rounded to FP32, or bounded by a double.
#include "reference/accumulate/superaccumulator.h"

#include <bit>
#include <cmath>

#include "adahop/formats/hd.h"
#include "reference/accumulate/f32_parts.h"
#include "reference/accumulate/round_f32.h"

namespace adahop::reference {

void superaccumulator::add(int64_t value, int exponent) {
  const int position = exponent - kLowestExponent;
  const int first = position / 64;
  // The shifted value has at most 64 + 63 bits, so it lies in two limbs and the sign fills those above.
  const auto wide = static_cast<unsigned __int128>(static_cast<__int128>(value)) << (position % 64);
  const uint64_t sign = value < 0 ? ~uint64_t{0} : 0;
  unsigned carry = 0;
  for (int i = first; i < kLimbs; ++i) {
    const uint64_t addend = i == first       ? static_cast<uint64_t>(wide)
                            : i == first + 1 ? static_cast<uint64_t>(wide >> 64)
                                             : sign;
    if (i > first + 1 && (sign != 0) == (carry != 0)) return;  // 0 + 0, or -1 + 1: nothing changes from here on
    const unsigned __int128 sum = static_cast<unsigned __int128>(limbs_[static_cast<size_t>(i)]) + addend + carry;
    limbs_[static_cast<size_t>(i)] = static_cast<uint64_t>(sum);
    carry = static_cast<unsigned>(sum >> 64);
  }
}

void superaccumulator::add(float value) {
  const f32_parts parts = split_f32(value);
  add(parts.signed_significand(), parts.exponent);
}

bool superaccumulator::is_zero() const { return leading().magnitude == 0; }

superaccumulator::leading_bits superaccumulator::leading() const {
  const bool negative = (limbs_[kLimbs - 1] >> 63) != 0;
  std::array<uint64_t, kLimbs> magnitude = limbs_;
  if (negative) {
    bool carry = true;
    for (uint64_t& limb : magnitude) {
      limb = ~limb + (carry ? 1 : 0);
      carry = carry && limb == 0;
    }
  }
  size_t top = kLimbs;
  while (top > 0 && magnitude[top - 1] == 0) --top;
  if (top == 0) return {false, 0, kLowestExponent};
  --top;
  const int up = std::countl_zero(magnitude[top]);
  const uint64_t below = top > 0 ? magnitude[top - 1] : 0;
  uint64_t window = up == 0 ? magnitude[top] : (magnitude[top] << up) | (below >> (64 - up));
  bool lost = (below << up) != 0;
  for (size_t i = 0; i + 1 < top; ++i) lost = lost || magnitude[i] != 0;
  if (lost) window |= 1;
  return {negative, window, kLowestExponent + 64 * static_cast<int>(top) - up};
}

bool superaccumulator::reaches(int exponent) const {
  const leading_bits sum = leading();
  return sum.magnitude != 0 && sum.exponent + 63 >= exponent;
}

float superaccumulator::rounded() const {
  const leading_bits sum = leading();
  return sum.magnitude == 0 ? 0.0f : float_of(round_f32(sum.negative, sum.magnitude, sum.exponent));
}

double superaccumulator::magnitude_up() const {
  const leading_bits sum = leading();
  constexpr int kDropped = 64 - 53;
  const uint64_t kept = sum.magnitude >> kDropped;
  const bool lost = (sum.magnitude & ((uint64_t{1} << kDropped) - 1)) != 0;
  // At most 2^53, so the conversion is exact, and so is the scaling: 2^-320 is far above the subnormals of a double.
  return std::ldexp(static_cast<double>(kept + (lost ? 1 : 0)), sum.exponent + kDropped);
}

}  // namespace adahop::reference
