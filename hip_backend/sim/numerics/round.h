// Rounding of an exact integer times a power of two to a binary format: nearest, ties to even, subnormals kept, overflow
// to Inf. IEEE 754 in integers, so that no control register of the host has a say.
#pragma once
#include <bit>
#include <cstdint>

namespace adahop::hip::sim {

__extension__ using wide_uint = unsigned __int128;

/// A sign, `exponent_bits` and `fraction_bits`, with IEEE's bias, subnormals, Inf and NaN.
struct float_format {
  int fraction_bits;
  int exponent_bits;
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint64_t exponent_mask() const { return (uint64_t{1} << exponent_bits) - 1; }
  constexpr uint64_t fraction_mask() const { return (uint64_t{1} << fraction_bits) - 1; }
  constexpr uint64_t infinity() const { return exponent_mask() << fraction_bits; }
  constexpr uint64_t sign() const { return uint64_t{1} << (fraction_bits + exponent_bits); }
  constexpr uint64_t quiet_nan() const { return infinity() | uint64_t{1} << (fraction_bits - 1); }
};

inline constexpr float_format kF16{10, 5};
inline constexpr float_format kBf16{7, 8};
inline constexpr float_format kF32{23, 8};
inline constexpr float_format kF64{52, 11};

enum class float_class : uint8_t { zero, finite, infinite, nan };

/// A pattern taken apart: where finite, the value is +-significand * 2^exponent. A subnormal is not normalized.
struct unpacked {
  float_class kind;
  bool negative;
  uint64_t significand;
  int exponent;
  int field;  ///< the exponent field
};

constexpr unpacked unpack(float_format f, uint64_t bits) {
  const uint64_t fraction = bits & f.fraction_mask();
  const int field = static_cast<int>(bits >> f.fraction_bits & f.exponent_mask());
  const bool negative = (bits & f.sign()) != 0;
  if (field == static_cast<int>(f.exponent_mask()))
    return {fraction != 0 ? float_class::nan : float_class::infinite, negative, fraction, 0, field};
  const uint64_t significand = field != 0 ? fraction | uint64_t{1} << f.fraction_bits : fraction;
  const int exponent = (field != 0 ? field : 1) - f.bias() - f.fraction_bits;
  return {significand != 0 ? float_class::finite : float_class::zero, negative, significand, exponent, field};
}

/// Position of the highest set bit, 0 for 1. `value` is not 0.
constexpr int top_bit(uint64_t value) { return 63 - std::countl_zero(value); }
constexpr int top_bit(wide_uint value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 64 + top_bit(high) : top_bit(static_cast<uint64_t>(value));
}

/// The pattern in `f` of +-magnitude * 2^exponent, `magnitude` a uint64_t or wide_uint. `sticky` says that the true
/// magnitude lies strictly between this one and the next integer; then `magnitude` has at least 2 bits more than the format
/// keeps. Zero keeps the sign.
template <class Unsigned>
constexpr uint64_t round_to(float_format f, bool negative, Unsigned magnitude, int exponent, bool sticky = false) {
  constexpr int kBits = 8 * sizeof(Unsigned);
  const uint64_t sign = negative ? f.sign() : 0;
  if (magnitude == 0) return sign;
  const int highest = top_bit(magnitude) + exponent;  // the value lies in [2^highest, 2^(highest+1))
  if (highest > f.bias()) return sign | f.infinity();
  const int emin = 1 - f.bias();
  const int last = (highest > emin ? highest : emin) - f.fraction_bits;  // exponent of the last bit kept
  const int drop = last - exponent;
  uint64_t kept = 0;
  if (drop <= 0) {
    kept = static_cast<uint64_t>(magnitude << -drop);  // exact: at most fraction_bits + 1 bits
  } else if (drop <= kBits) {
    kept = drop < kBits ? static_cast<uint64_t>(magnitude >> drop) : 0;
    const Unsigned half = Unsigned{1} << (drop - 1);
    const bool below = sticky || (magnitude & (half - 1)) != 0;
    if ((magnitude & half) != 0 && (below || (kept & 1) != 0)) ++kept;
  }
  // A carry out of the fraction moves into the exponent field and, from the largest, to Inf.
  if (highest < emin) return sign | kept;
  return sign | ((static_cast<uint64_t>(highest - emin) << f.fraction_bits) + kept);
}

}  // namespace adahop::hip::sim
