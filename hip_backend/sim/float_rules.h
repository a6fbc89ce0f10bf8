// What floating-point instructions do beside rounding: NaNs, minimum and maximum, order, clamping, on bit patterns of FP32,
// FP64 and FP16. From the pseudocode of the ISA manual under MODE.IEEE = 1, DX10_CLAMP = 1, denormals kept, round to nearest
// even: how compute kernels start.
//
// NaNs: the manual says that signalling NaNs are quieted and propagated. Which NaN comes out of two, and the pattern of an
// invalid operation, it does not say; ours are the first one in the order of the sources, quieted, and +NaN with only the
// quiet bit. Kernels that promise bits canonicalize NaNs.
#pragma once
#include <bit>
#include <cstdint>

namespace adahop::hip::sim {

/// A binary format in an unsigned integer of its width; `bits` may be wider than the format (FP16 in 32 bits).
template <typename Bits, typename Signed, unsigned FractionBits, unsigned ExponentBits>
struct ieee_format {
  using bits = Bits;
  using signed_bits = Signed;
  static constexpr unsigned kFractionBits = FractionBits;
  static constexpr unsigned kExponentMax = (1u << ExponentBits) - 1;
  static constexpr int kBias = (1 << (ExponentBits - 1)) - 1;
  static constexpr Bits kSign = Bits{1} << (FractionBits + ExponentBits);
  static constexpr Bits kFraction = (Bits{1} << FractionBits) - 1;
  static constexpr Bits kInfinity = Bits{kExponentMax} << FractionBits;
  static constexpr Bits kQuiet = Bits{1} << (FractionBits - 1);
  static constexpr Bits kInvalid = kInfinity | kQuiet;  ///< what an invalid operation gives
  static constexpr Bits kOne = Bits{static_cast<unsigned>(kBias)} << FractionBits;
};

using f32 = ieee_format<uint32_t, int32_t, 23, 8>;
using f64 = ieee_format<uint64_t, int64_t, 52, 11>;
using f16 = ieee_format<uint32_t, int32_t, 10, 5>;

template <typename F>
using bits_of_format = typename F::bits;

template <typename F>
constexpr bits_of_format<F> magnitude(bits_of_format<F> x) {
  return x & (F::kSign - 1);
}
// The comparison is a signed one: SSE2 has no other, and magnitudes have no sign bit.
template <typename F>
constexpr bool is_nan(bits_of_format<F> x) {
  using s = typename F::signed_bits;
  return static_cast<s>(magnitude<F>(x)) > static_cast<s>(F::kInfinity);
}
template <typename F>
constexpr bool is_signalling(bits_of_format<F> x) {
  return is_nan<F>(x) && (x & F::kQuiet) == 0;
}
template <typename F>
constexpr bits_of_format<F> quiet(bits_of_format<F> x) {
  return x | F::kQuiet;
}
template <typename F>
constexpr unsigned exponent_field(bits_of_format<F> x) {
  return static_cast<unsigned>(magnitude<F>(x) >> F::kFractionBits);
}

/// The NaN of an operation whose result is one: the first NaN among the sources, quieted, else that of an invalid operation.
template <typename F, typename... Rest>
constexpr bits_of_format<F> nan_result(bits_of_format<F> first, Rest... rest) {
  if (is_nan<F>(first)) return quiet<F>(first);
  if constexpr (sizeof...(Rest) == 0)
    return F::kInvalid;
  else
    return nan_result<F>(rest...);
}

/// A signed integer in the order of the values; -0 and +0 are equal.
template <typename F>
constexpr typename F::signed_bits value_order(bits_of_format<F> x) {
  using s = typename F::signed_bits;
  const s m = static_cast<s>(magnitude<F>(x));
  return (x & F::kSign) != 0 ? -m : m;
}
/// Likewise with -0 below +0.
template <typename F>
constexpr typename F::signed_bits total_order(bits_of_format<F> x) {
  using s = typename F::signed_bits;
  const s m = static_cast<s>(magnitude<F>(x));
  return (x & F::kSign) != 0 ? -m - 1 : m;
}

/// By total_order().
template <typename F>
constexpr bits_of_format<F> lesser(bits_of_format<F> a, bits_of_format<F> b) {
  return total_order<F>(a) < total_order<F>(b) ? a : b;
}
template <typename F>
constexpr bits_of_format<F> greater(bits_of_format<F> a, bits_of_format<F> b) {
  return total_order<F>(a) < total_order<F>(b) ? b : a;
}

/// `r` where a and b are numbers; a signalling NaN quieted, the number beside a quiet one.
template <typename F>
constexpr bits_of_format<F> number_of(bits_of_format<F> a, bits_of_format<F> b, bits_of_format<F> r) {
  r = is_nan<F>(b) ? a : r;
  r = is_nan<F>(a) ? b : r;
  r = is_signalling<F>(b) ? quiet<F>(b) : r;
  return is_signalling<F>(a) ? quiet<F>(a) : r;
}
/// `r` where a and b are numbers; else the NaN quieted, a signalling one before a quiet one.
template <typename F>
constexpr bits_of_format<F> nan_or(bits_of_format<F> a, bits_of_format<F> b, bits_of_format<F> r) {
  r = is_nan<F>(b) ? quiet<F>(b) : r;
  r = is_nan<F>(a) && !is_signalling<F>(b) ? quiet<F>(a) : r;
  return is_signalling<F>(a) ? quiet<F>(a) : r;
}

/// V_MIN: a signalling NaN quieted, else the number beside a NaN, else the lesser; -0 below +0.
template <typename F>
constexpr bits_of_format<F> minimum_number(bits_of_format<F> a, bits_of_format<F> b) {
  return number_of<F>(a, b, lesser<F>(a, b));
}
/// V_MAX, likewise.
template <typename F>
constexpr bits_of_format<F> maximum_number(bits_of_format<F> a, bits_of_format<F> b) {
  return number_of<F>(a, b, greater<F>(a, b));
}
/// V_MINIMUM: IEEE 754-2019 minimum(), any NaN comes through; a signalling one before a quiet one.
template <typename F>
constexpr bits_of_format<F> minimum(bits_of_format<F> a, bits_of_format<F> b) {
  return nan_or<F>(a, b, lesser<F>(a, b));
}
/// V_MAXIMUM, likewise.
template <typename F>
constexpr bits_of_format<F> maximum(bits_of_format<F> a, bits_of_format<F> b) {
  return nan_or<F>(a, b, greater<F>(a, b));
}
/// V_MED3: of numbers the middle one; beside a NaN V_MIN3.
template <typename F>
constexpr bits_of_format<F> median(bits_of_format<F> a, bits_of_format<F> b, bits_of_format<F> c) {
  if (is_nan<F>(a) || is_nan<F>(b) || is_nan<F>(c)) return minimum_number<F>(minimum_number<F>(a, b), c);
  const auto highest = value_order<F>(maximum_number<F>(maximum_number<F>(a, b), c));
  if (highest == value_order<F>(a)) return maximum_number<F>(b, c);
  if (highest == value_order<F>(b)) return maximum_number<F>(a, c);
  return maximum_number<F>(a, b);
}

/// The clamp modifier of a float result: to [+0, 1]; NaN becomes +0 (DX10_CLAMP). -0 becomes +0 [our choice].
template <typename F>
constexpr bits_of_format<F> clamp_to_unit(bits_of_format<F> x) {
  if (is_nan<F>(x) || (x & F::kSign) != 0) return 0;
  return x > F::kOne ? F::kOne : x;
}

/// The 16 float comparisons as sets of outcomes; the sum is the low half of the opcode's number.
enum relation : unsigned { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };

template <typename F, unsigned Outcomes>
constexpr bool holds(bits_of_format<F> a, bits_of_format<F> b) {
  if (is_nan<F>(a) || is_nan<F>(b)) return (Outcomes & kUnordered) != 0;
  const auto x = value_order<F>(a), y = value_order<F>(b);
  if (x < y) return (Outcomes & kLess) != 0;
  return (Outcomes & (x == y ? kEqual : kGreater)) != 0;
}

}  // namespace adahop::hip::sim
