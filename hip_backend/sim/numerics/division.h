// The instructions of which the compiler makes IEEE division: V_DIV_SCALE, V_RCP, V_DIV_FMAS, V_DIV_FIXUP, on bit patterns,
// round to nearest even, subnormals kept.
//
// The CDNA4 manual's pseudocode contradicts itself here: V_DIV_SCALE scales by 2^64 (FP64: 2^128) but V_DIV_FMAS scales
// back by 2^32 (2^64) in one direction only, and V_DIV_SCALE asks for subnormals where it must mean exponent fields. The
// rules below are those that AMD's emulator uses since it was compared with gfx1100 and gfx1201 [B; M on those chips];
// where they and the manual differ is said at each function. The quotient does not depend on the difference.
#pragma once
#include <cstdint>

#include "sim/numerics/options.h"

namespace adahop::hip::sim {

struct scaled_f32 {
  uint32_t value;
  bool vcc;  ///< this lane's bit: V_DIV_FMAS must scale
};
struct scaled_f64 {
  uint64_t value;
  bool vcc;
};

/// V_DIV_SCALE_F32: s0, the denominator (s0 = s1) or the numerator (s0 = s2), scaled so that quotient, reciprocal and
/// residual are normal numbers. Decided by the exponent fields of s1 and s2. A zero among these gives the NaN 0xFFC00000.
scaled_f32 div_scale_f32(uint32_t s0, uint32_t s1, uint32_t s2);
scaled_f64 div_scale_f64(uint64_t s0, uint64_t s1, uint64_t s2);

/// V_DIV_FMAS_F32: s0 * s1 + s2, where `vcc` times 2^64 if s2 >= 2 in magnitude, else times 2^-64; one rounding of the
/// whole. (FP64: 2^128.) The manual has 2^32 (2^64) and multiplies after rounding.
uint32_t div_fmas_f32(uint32_t s0, uint32_t s1, uint32_t s2, bool vcc);
uint64_t div_fmas_f64(uint64_t s0, uint64_t s1, uint64_t s2, bool vcc);

/// V_DIV_FIXUP_F32 of the quotient s0, the denominator s1 and the numerator s2: NaN (quieted, the numerator's first), 0/0
/// and Inf/Inf (0xFFC00000), x/0, Inf/y, x/Inf, 0/y; a quotient below half the least subnormal is 0; else s0 with the sign of
/// the division. [A] A quotient that is NaN or Inf there is Inf [M on gfx1151]; the manual's UNDERFLOW is 0 [M on gfx1151].
uint32_t div_fixup_f32(uint32_t s0, uint32_t s1, uint32_t s2);
uint64_t div_fixup_f64(uint64_t s0, uint64_t s1, uint64_t s2);

/// V_RCP_F32: 1 / s0 within division_options::reciprocal_ulps of correctly rounded. 0, Inf and NaN as IEEE says.
/// The compiler's sequences give IEEE's quotient for any bits within the manual's bound, except that they need the correctly
/// rounded reciprocal where the denominator's significand is all ones and the numerator is a power of two (FP32: and for
/// one pair of significands more).
uint32_t rcp_f32(uint32_t s0, const division_options& options = {});
/// V_RCP_F64.
uint64_t rcp_f64(uint64_t s0, const division_options& options = {});

}  // namespace adahop::hip::sim
