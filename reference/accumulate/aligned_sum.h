// The parts that the aligned additions of matrix hardware share: finding the alignment exponent, shifting significands
// to it, and the normalisation at the end. Implements the pieces of SPEC 10.15 that 10.16 and 10.17 use again.
#pragma once
#include <cstdint>
#include <limits>
#include <span>

#include "reference/accumulate/product.h"
#include "reference/accumulate/special_sum.h"

namespace adahop::reference {

inline constexpr int kAlignedFractionBits = 24;  ///< below the alignment exponent
inline constexpr int kFinalFractionBits = 31;    ///< of the normalised sum before its rounding
/// The exponent of a sum without non-zero products: below every real one, and differences to it do not overflow.
inline constexpr int kNoExponent = -100000;

/// v / 2^n rounded toward zero, and toward minus infinity, n >= 0.
constexpr int64_t shift_truncated(int64_t v, int n) {
  if (n > 62) return 0;
  return v < 0 ? -(-v >> n) : v >> n;
}
constexpr int64_t shift_floored(int64_t v, int n) { return v >> (n > 62 ? 62 : n); }

/// An FP32 accumulator as significand * 2^(exponent - 23); -126 is the exponent of zero and of subnormals.
struct accumulator_parts {
  int64_t significand;
  int exponent;
};
accumulator_parts split_accumulator(float finite);

/// The products at indices first, first + step, ... truncated toward zero to 24 fraction bits at the largest exponent
/// of the non-zero ones, and added: sum * 2^(exponent - 24). |sum| < 2^26 times the number of products.
struct aligned_sum {
  int64_t sum;
  int exponent;  ///< kNoExponent if all products are zero
};
aligned_sum sum_truncated(std::span<const product> products, size_t first, size_t step);

/// Notes the products that are 2^128 or more as Infs.
void note_overflows(std::span<const product> products, special_sum& special);

/// sum * 2^exponent with its normalised significand floored to 31 fraction bits, rounded to FP32; zero gives +0.
float round_normalised(int64_t sum, int exponent);

}  // namespace adahop::reference
