// A fixed-point number wide enough for every exact sum of chapter 10: signed, units of 2^-320, 640 bits. Nothing is
// lost until the one rounding at the end. Holds the "exact sum" of SPEC 10.11, 10.12, 10.18, 10.23.
#pragma once
#include <array>
#include <cstdint>

namespace adahop::reference {

/// Terms lie in [2^-266, 2^269): products of BF16 reach down to 2^-266, block terms up to 4608 * 2^252. So 2^50 of them
/// stay below 2^319.
class superaccumulator {
 public:
  static constexpr int kLowestExponent = -320;

  /// Adds value * 2^exponent, exponent >= kLowestExponent; value is not the most negative int64_t.
  void add(int64_t value, int exponent);
  /// Adds an FP32 value, which is finite; either zero adds nothing.
  void add(float value);

  bool is_zero() const;
  /// Whether |sum| >= 2^exponent, kLowestExponent <= exponent < 319.
  bool reaches(int exponent) const;
  /// RNE to FP32, overflow to Inf; an exact zero is +0, a non-zero sum that rounds to zero keeps its sign.
  float rounded() const;
  /// The smallest double that is >= |sum|.
  double magnitude_up() const;

 private:
  static constexpr int kLimbs = 10;
  // magnitude * 2^exponent, magnitude's top bit set and its last bit sticky; magnitude 0 for a zero sum.
  struct leading_bits {
    bool negative;
    uint64_t magnitude;
    int exponent;
  };
  leading_bits leading() const;

  std::array<uint64_t, kLimbs> limbs_{};  // two's complement, least significant first
};

}  // namespace adahop::reference
