// FP32 and BF16 arithmetic on bit patterns, each operation computed as an exact rational and rounded once.
// Implements SPEC 1.3, 1.4, 1.5, 2.7, 2.8. A BF16 value is carried as the FP32 pattern of the same value.
#pragma once
#include <cstdint>

#include "rational.h"

namespace independent {

inline constexpr uint32_t kSignBit = 0x80000000u;
inline constexpr uint32_t kInfBits = 0x7F800000u;
inline constexpr uint32_t kNanBits = 0x7FC00000u;

inline bool is_negative(uint32_t bits) { return (bits & kSignBit) != 0; }
inline bool is_nan(uint32_t bits) { return (bits & ~kSignBit) > kInfBits; }
inline bool is_inf(uint32_t bits) { return (bits & ~kSignBit) == kInfBits; }
inline bool is_finite(uint32_t bits) { return (bits & ~kSignBit) < kInfBits; }
inline bool is_zero(uint32_t bits) { return (bits & ~kSignBit) == 0; }

/// The value of a finite FP32 pattern.
rational value_of(uint32_t bits);

/// RNE of `x` to FP32 and to BF16, subnormals kept, overflow to Inf; `x` = 0 gives +0, and a non-zero `x` keeps its
/// sign even where it rounds to zero.
uint32_t round_to_fp32(const rational& x);
uint16_t round_to_bf16(const rational& x);

/// FP32 pattern to BF16 pattern (SPEC 2.8), and back.
uint16_t bf16_of(uint32_t bits);
inline uint32_t widen_bf16(uint16_t bits) { return uint32_t{bits} << 16; }

uint32_t add(uint32_t a, uint32_t b);
uint32_t subtract(uint32_t a, uint32_t b);
uint32_t multiply(uint32_t a, uint32_t b);
/// a * b + c, rounded once.
uint32_t fused_multiply_add(uint32_t a, uint32_t b, uint32_t c);

}  // namespace independent
