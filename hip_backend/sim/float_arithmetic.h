// Addition, multiplication and fused multiply-add on patterns: IEEE 754, round to nearest even, denormals kept. The host's
// FPU rounds (x86-64 SSE and AArch64 do this under the default environment, which grid.cc sets); NaNs never come from it.
#pragma once
#include <cmath>

#include "sim/float_rules.h"
#include "sim/numerics/round.h"

namespace adahop::hip::sim {

/// a * b + c rounded once, without the host's fma instruction (which plain x86-64 has not): the product is exact in FP64, the
/// sum is rounded to odd there, and 53 bits >= 2 * 24 + 2 make the second rounding right. NaNs are the caller's.
inline float fused_multiply_add(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double addend = c;
  const double sum = product + addend;
  const double added = sum - product;
  const double error = (product - (sum - added)) + (addend - added);  // exact; NaN where the sum is not finite
  const uint64_t pattern = std::bit_cast<uint64_t>(sum);
  const uint64_t inward = (pattern ^ std::bit_cast<uint64_t>(error)) >> 63;  // the error lies on the side of zero
  const double odd = std::bit_cast<double>((pattern & 1) != 0 ? pattern : pattern + 1 - 2 * inward);
  return static_cast<float>(((error < 0.0) | (error > 0.0)) ? odd : sum);
}

inline float from_bits(uint32_t x) { return std::bit_cast<float>(x); }
inline double from_bits(uint64_t x) { return std::bit_cast<double>(x); }
inline uint32_t to_bits(float x) { return std::bit_cast<uint32_t>(x); }
inline uint64_t to_bits(double x) { return std::bit_cast<uint64_t>(x); }

// The operations whose NaNs per_lane_host() settles afterwards.
template <typename F>
inline bits_of_format<F> host_add(bits_of_format<F> a, bits_of_format<F> b) {
  return to_bits(from_bits(a) + from_bits(b));
}
template <typename F>
inline bits_of_format<F> host_sub(bits_of_format<F> a, bits_of_format<F> b) {
  return to_bits(from_bits(a) - from_bits(b));
}
template <typename F>
inline bits_of_format<F> host_subrev(bits_of_format<F> a, bits_of_format<F> b) {
  return to_bits(from_bits(b) - from_bits(a));
}
template <typename F>
inline bits_of_format<F> host_mul(bits_of_format<F> a, bits_of_format<F> b) {
  return to_bits(from_bits(a) * from_bits(b));
}
template <typename F>
inline bits_of_format<F> host_fma(bits_of_format<F> a, bits_of_format<F> b, bits_of_format<F> c) {
  if constexpr (sizeof(bits_of_format<F>) == 4)
    return to_bits(fused_multiply_add(from_bits(a), from_bits(b), from_bits(c)));
  else
    return to_bits(std::fma(from_bits(a), from_bits(b), from_bits(c)));
}

/// FP16 a * b + c in integers: the product is a multiple of 2^-48 below 2^32, the sum fits 128 bits, one rounding.
constexpr uint32_t fused_multiply_add_f16(uint32_t a, uint32_t b, uint32_t c) {
  if (is_nan<f16>(a) || is_nan<f16>(b) || is_nan<f16>(c)) return nan_result<f16>(a, b, c);
  const uint32_t sign = (a ^ b) & f16::kSign;
  const bool infinite = magnitude<f16>(a) == f16::kInfinity || magnitude<f16>(b) == f16::kInfinity;
  if (infinite) {
    const bool times_zero = magnitude<f16>(a) == 0 || magnitude<f16>(b) == 0;
    const bool opposite = magnitude<f16>(c) == f16::kInfinity && ((c & f16::kSign) != sign);
    return times_zero || opposite ? f16::kInvalid : sign | f16::kInfinity;
  }
  if (magnitude<f16>(c) == f16::kInfinity) return c;
  __extension__ using wide = __int128;
  const auto fixed = [](uint32_t x, int scale) {  // times 2^scale, an integer
    const unpacked p = unpack(kF16, x);
    const wide m = static_cast<wide>(p.significand) << (p.exponent + scale);
    return p.negative ? -m : m;
  };
  const wide sum = fixed(a, 24) * fixed(b, 24) + fixed(c, 48);
  if (sum == 0) {  // +0, unless product and addend are both -0; a product that is not 0 cancels to +0
    return magnitude<f16>(c) == 0 && sign != 0 && (c & f16::kSign) != 0 ? f16::kSign : 0u;
  }
  return static_cast<uint32_t>(round_to(kF16, sum < 0, static_cast<wide_uint>(sum < 0 ? -sum : sum), -48));
}
/// Exactly a * 1 + b.
constexpr uint32_t add_f16(uint32_t a, uint32_t b) { return fused_multiply_add_f16(a, f16::kOne, b); }
/// Exactly a * b + -0.
constexpr uint32_t mul_f16(uint32_t a, uint32_t b) { return fused_multiply_add_f16(a, b, f16::kSign); }

}  // namespace adahop::hip::sim
