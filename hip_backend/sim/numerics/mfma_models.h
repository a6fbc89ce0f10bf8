// One step of each accumulation model: what a group of exact products or block sums and C give. SPEC 10.12 to 10.19 define
// the models; the CDNA3 algorithms are those measured for MMA-Sim (arXiv 2511.10909). Integers throughout.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/numerics/round.h"

namespace adahop::hip::sim {

/// sum_x4 / 4 * 2^exponent: the exact dot product of a block, |sum_x4| <= 4608, and the exponent of both scales.
struct block_term {
  int32_t sum_x4;
  int32_t exponent;
};

/// A sum of any FP32 numbers, BF16 products and block terms without rounding: a fixed-point number of 640 bits, two's
/// complement, whose lowest bit is 2^-320. Holds sums of up to 2^50 terms below 2^268 in magnitude.
class exact_sum {
 public:
  void add(int64_t significand, int exponent);  ///< significand * 2^exponent, exponent in [-320, 255], |significand| < 2^62
  uint32_t round_f32() const;                   ///< one rounding; an exact zero is +0

 private:
  static constexpr int kWords = 10;
  static constexpr int kLowest = -320;
  uint64_t words_[kWords] = {};
};

/// Products of one group, truncated: sum * 2^(exponent - 24). `any` is false where all products are zero.
struct aligned_sum {
  int64_t sum = 0;
  int exponent = 0;
  bool any = false;
};

// In all of these C is finite, and there are at most four terms.

/// C and all terms, one rounding.
uint32_t fused_f32(std::span<const block_term> terms, uint32_t c);
/// Each term rounded to FP32, then added to C in FP32, in order. May end in `nan`, by Inf - Inf.
uint32_t seq_f32(std::span<const block_term> terms, uint32_t c, uint32_t nan);
/// C and the terms aligned at the largest exponent, truncated toward zero to 24 fraction bits, added, rounded.
uint32_t block_first_f32(std::span<const block_term> terms, uint32_t c);
/// The last part of TR-FDPA, from S on (SPEC 10.15).
uint32_t trfdpa_f32(const aligned_sum& products, uint32_t c);
/// The last part of GTR-FDPA, from the two sums on (SPEC 10.16).
uint32_t gtrfdpa_f32(const aligned_sum& even, const aligned_sum& odd, uint32_t c);

/// What is left when a product or C is not finite: NaN if there is one or both Infs, else the Inf.
struct special_sum {
  bool nan = false, plus = false, minus = false;
  void infinite(bool negative) { (negative ? minus : plus) = true; }
  bool any() const { return nan || plus || minus; }
  uint32_t result(uint32_t nan_pattern) const {
    return nan || (plus && minus) ? nan_pattern : minus ? 0xFF800000u : 0x7F800000u;
  }
};

}  // namespace adahop::hip::sim
