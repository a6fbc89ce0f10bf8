// An exact sum of integers times powers of two, and its one rounding to FP32. Implements the roundings of SPEC
// 10.12-10.17.
#pragma once
#include "adahop/formats/hd.h"
#include "arch/lang.h"

namespace adahop::hip {

/// Two's complement fixed point with unit 2^-256. The largest sums added here stay below 2^280: four block terms of at
/// most 4608 * 2^252 and an FP32.
class wide_sum {
 public:
  /// Adds value * 2^exponent, exponent >= -256, |value| * 2^exponent < 2^280.
  ADAHOP_DEVICE_FN void add(int64_t value, int32_t exponent) {
    const uint32_t position = static_cast<uint32_t>(exponent + 256);
    const uint32_t first = position / 64;
    const uint32_t shift = position % 64;
    const uint64_t sign = value < 0 ? ~uint64_t{0} : 0;
    const uint64_t low = static_cast<uint64_t>(value) << shift;
    const uint64_t high = shift == 0 ? sign : static_cast<uint64_t>(value >> (64 - shift));
    bool carry = false;
    for (uint32_t w = first; w < kWords; ++w) {
      const uint64_t addend = w == first ? low : w == first + 1 ? high : sign;
      const uint64_t sum = words_[w] + addend;
      const bool wrapped = sum < addend;
      words_[w] = sum + (carry ? 1 : 0);
      carry = wrapped || (carry && words_[w] == 0);
    }
  }

  /// RNE to FP32: an exact zero is +0, a non-zero sum keeps its sign, overflow gives Inf.
  ADAHOP_DEVICE_FN float round() const {
    const bool negative = (words_[kWords - 1] >> 63) != 0;
    const wide_sum magnitude = negative ? negated() : *this;
    int32_t top = static_cast<int32_t>(64 * kWords) - 1;
    while (top >= 0 && !magnitude.bit(top)) --top;
    if (top < 0) return 0.0f;
    // The last kept place: 24 bits, or 2^-149 where the result is subnormal.
    constexpr int32_t kSmallestPlace = 256 - 149;
    const int32_t place = top - 23 > kSmallestPlace ? top - 23 : kSmallestPlace;
    uint32_t significand = 0;
    for (int32_t p = top; p >= place; --p) significand = 2 * significand + (magnitude.bit(p) ? 1u : 0u);
    bool sticky = false;
    for (int32_t p = 0; p < place - 1 && !sticky; ++p) sticky = magnitude.bit(p);
    if (magnitude.bit(place - 1) && (sticky || significand % 2 != 0)) ++significand;
    // A normal significand carries its leading bit into the exponent field, which so is one higher than the place says.
    const uint32_t bits = (static_cast<uint32_t>(place - kSmallestPlace) << 23) + significand;
    return float_of((negative ? 0x80000000u : 0u) | (bits < 0x7F800000u ? bits : 0x7F800000u));
  }

 private:
  static constexpr uint32_t kWords = 9;

  ADAHOP_DEVICE_FN bool bit(int32_t position) const {
    return ((words_[position / 64] >> (position % 64)) & 1) != 0;
  }

  ADAHOP_DEVICE_FN wide_sum negated() const {
    wide_sum out;
    bool carry = true;
    for (uint32_t w = 0; w < kWords; ++w) {
      out.words_[w] = ~words_[w] + (carry ? 1 : 0);
      carry = carry && out.words_[w] == 0;
    }
    return out;
  }

  uint64_t words_[kWords] = {};
};

}  // namespace adahop::hip
