// gfx950's conversions to and from FP4, BF16 and FP16, one lane at a time, on bit patterns. From the pseudocode of
// AMD's CDNA4 ISA manual; what it leaves to a named function (f32_to_fp4_scale and the like) is documented at each one.
#pragma once
#include <cstdint>

#include "sim/numerics/options.h"

namespace adahop::hip::sim {

/// V_PRNG_B32: one step of a linear feedback shift register, (x << 1) ^ (x[31] ? 197 : 0). [A]
uint32_t prng_b32(uint32_t word);

/// Two results that fill one or two registers.
struct result_pair {
  uint32_t first, second;
};

// To FP4. The scale is the exponent field of the FP32 pattern `scale`, its sign and fraction are ignored: element / 2^(field
// - 127), rounded to nearest even, saturated to +-6, the sign kept. The first element goes to the low nibble of byte
// `byte` (OPSEL[3:2], 0 to 3) of `old`, whose other bytes are kept. [A; ties on silicon A-/B; options: ?]

/// V_CVT_SCALEF32_PK_FP4_F32.
uint32_t cvt_scalef32_pk_fp4_f32(uint32_t old, uint32_t s0, uint32_t s1, uint32_t scale, uint32_t byte,
                                 const conversion_options& options = {});
/// V_CVT_SCALEF32_PK_FP4_BF16: the two elements are the halves of `pair`, low half first.
uint32_t cvt_scalef32_pk_fp4_bf16(uint32_t old, uint32_t pair, uint32_t scale, uint32_t byte,
                                  const conversion_options& options = {});
/// V_CVT_SCALEF32_PK_FP4_F16.
uint32_t cvt_scalef32_pk_fp4_f16(uint32_t old, uint32_t pair, uint32_t scale, uint32_t byte,
                                 const conversion_options& options = {});

// Stochastically: the first element is rounded with the word `random`, the second with prng_b32(random). [A] The top bits
// of the word are added right below the one fraction bit that is kept, and the sum is truncated; a result below 1 is
// shifted to its place first, dropping bits. [B: AMD's host library]

/// V_CVT_SCALEF32_SR_PK_FP4_F32: the elements are the registers of the 64-bit first source.
uint32_t cvt_scalef32_sr_pk_fp4_f32(uint32_t old, uint32_t first, uint32_t second, uint32_t random, uint32_t scale,
                                    uint32_t byte, const conversion_options& options = {});
/// V_CVT_SCALEF32_SR_PK_FP4_BF16.
uint32_t cvt_scalef32_sr_pk_fp4_bf16(uint32_t old, uint32_t pair, uint32_t random, uint32_t scale, uint32_t byte,
                                     const conversion_options& options = {});
/// V_CVT_SCALEF32_SR_PK_FP4_F16.
uint32_t cvt_scalef32_sr_pk_fp4_f16(uint32_t old, uint32_t pair, uint32_t random, uint32_t scale, uint32_t byte,
                                    const conversion_options& options = {});

// From FP4: both nibbles of byte `byte` (OPSEL[1:0]) of `source`, times 2^(field - 127), low nibble first. [A] Rounded
// to nearest even into subnormals, Inf on overflow. [B; "gfx950 HW behavior" in AMD's host library]

/// V_CVT_SCALEF32_PK_F32_FP4: a register each.
result_pair cvt_scalef32_pk_f32_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options = {});
/// V_CVT_SCALEF32_PK_BF16_FP4: low and high half of the result.
uint32_t cvt_scalef32_pk_bf16_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options = {});
/// V_CVT_SCALEF32_PK_F16_FP4.
uint32_t cvt_scalef32_pk_f16_fp4(uint32_t source, uint32_t scale, uint32_t byte, const conversion_options& options = {});

/// V_CVT_PK_BF16_F32: nearest even whatever MODE says, s0 to the low half. [A; NaN: option]
uint32_t cvt_pk_bf16_f32(uint32_t s0, uint32_t s1, const conversion_options& options = {});
/// V_CVT_SR_BF16_F32: the upper 16 bits of `random` are added to the 16 bits that fall away, the rest is truncated; the
/// result goes to the high half of `old` where `high` (OPSEL[3]), else to the low half, the other half is kept. [A for the
/// halves; which bits of the word: C, by the manual's text for V_CVT_SR_FP8_F32]
uint32_t cvt_sr_bf16_f32(uint32_t old, uint32_t s0, uint32_t random, bool high, const conversion_options& options = {});

/// V_CVT_F16_F32 under round-to-nearest-even, subnormals kept; 16 bits. A NaN is quieted, its upper payload kept. [A; NaN B]
uint32_t cvt_f16_f32(uint32_t s0);
/// V_CVT_F32_F16 of the low 16 bits. Exact. [A; NaN B]
uint32_t cvt_f32_f16(uint32_t s0);

}  // namespace adahop::hip::sim
