// The exact sum of an FP32 accumulator and a block term, rounded once. Implements SPEC 10.2-10.6.
#include "reference/accumulate/block_rne.h"

#include <bit>
#include <utility>

#include "reference/accumulate/f32_parts.h"
#include "reference/accumulate/round_f32.h"

namespace adahop::reference {
namespace {

// sign * magnitude * 2^exponent, magnitude normalised to [2^61, 2^62), or 0.
struct exact_number {
  bool negative;
  uint64_t magnitude;
  int exponent;
};

constexpr int kTopBit = 61;  // two such magnitudes add up to less than 2^63

exact_number normalised(bool negative, uint64_t magnitude, int exponent) {
  if (magnitude == 0) return {false, 0, 0};
  const int up = kTopBit - (63 - std::countl_zero(magnitude));
  return {negative, magnitude << up, exponent - up};
}

exact_number split(float v) {
  const f32_parts parts = split_f32(v);
  return normalised(parts.negative, parts.significand, parts.exponent);
}

int64_t signed_value(bool negative, uint64_t magnitude) {
  return negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
}

}  // namespace

float accumulate_block_rne(float acc, int32_t dot_x4, e8m0 sa, e8m0 sb) {
  const uint32_t magnitude_bits = bits_of(acc) & 0x7FFFFFFFu;
  if (is_nan(sa) || is_nan(sb) || magnitude_bits > 0x7F800000u) return float_of(kCanonicalNan);
  if (magnitude_bits == 0x7F800000u) return acc;  // the term is a finite real number

  const uint32_t dot_magnitude = dot_x4 < 0 ? 0u - static_cast<uint32_t>(dot_x4) : static_cast<uint32_t>(dot_x4);
  const int term_exponent = static_cast<int>(byte_of(sa)) + static_cast<int>(byte_of(sb)) - 256;
  exact_number large = split(acc);
  exact_number small = normalised(dot_x4 < 0, dot_magnitude, term_exponent);
  if (large.magnitude == 0 || (small.magnitude != 0 && small.exponent > large.exponent)) std::swap(large, small);
  if (large.magnitude == 0) return 0.0f;
  if (small.magnitude == 0) return float_of(round_f32(large.negative, large.magnitude, large.exponent));

  // The larger number has at most 24 significant bits, so its low 38 bits are zero. Bits of the smaller one are lost
  // to the sticky bit only when it is shifted by more than 38; then the sum keeps at least 60 bits above the sticky one.
  const uint64_t aligned = shift_right_sticky(small.magnitude, large.exponent - small.exponent);
  const int64_t sum = signed_value(large.negative, large.magnitude) + signed_value(small.negative, aligned);
  if (sum == 0) return 0.0f;
  const bool negative = sum < 0;
  return float_of(round_f32(negative, static_cast<uint64_t>(negative ? -sum : sum), large.exponent));
}

}  // namespace adahop::reference
