// What public documents leave open about gfx950's numerics, each a named choice with a default. [A], [B], [M], [?] below
// are certainty marks: ISA manual; AMD's software model; measured by others on the chip named; unknown.
#pragma once
#include <cstdint>
#include <string_view>

#include "adahop/status.h"

namespace adahop::hip::sim {

/// What a NaN element becomes in a conversion to FP4, which has none. [?]
enum class nan_to_fp4 : uint8_t {
  sign_7,     ///< +-6 with the NaN's sign: AMD's host library
  plus_zero,  ///< code 0: AMD's emulator
};

/// What a scale with exponent field 0xFF (the E8M0 NaN) does in a conversion to FP4. [?]
enum class nan_scale_to_fp4 : uint8_t {
  sign_7,            ///< each element becomes +-6 with its sign: AMD's host library
  keep_destination,  ///< the destination is left as it was: AMD's emulator
};

/// The NaN that widening FP4 under a scale of 0xFF gives. [?]
enum class widened_nan : uint8_t {
  canonical,  ///< 0x7FC00000, 0x7FC0, 0x7E00: AMD's emulator
  hip_host,   ///< the element's sign; FP32 quiet, BF16 and FP16 with all fraction bits set: AMD's host library
};

/// Which bits of the random word a 16-bit source sees in v_cvt_scalef32_sr_pk_fp4. [?]
enum class sr_model : uint8_t {
  hip_host,  ///< as many as the source has fraction bits, less one: AMD's host library [B]
  widened,   ///< the source is widened to FP32 first, so 22 bits: AMD's emulator, generic routine [B]
};

/// What v_cvt_pk_bf16_f32 and v_cvt_sr_bf16_f32 make of a NaN. [?]
enum class bf16_nan : uint8_t {
  keep_payload,  ///< the upper half; its last bit is set where the lower half was not zero: AMD's emulator [B]
  canonical,     ///< 0x7FC0
};

struct conversion_options {
  nan_to_fp4 nan = nan_to_fp4::sign_7;
  nan_scale_to_fp4 nan_scale = nan_scale_to_fp4::sign_7;
  widened_nan widening = widened_nan::canonical;
  sr_model sr = sr_model::hip_host;
  bf16_nan bf16 = bf16_nan::keep_payload;
};

/// How a matrix instruction combines the products of FP4 blocks with C. All are hypotheses: nobody has published what
/// CDNA4 does. SPEC 10.12 to 10.17 define them over a whole product; here each instruction is one step of it.
enum class mfma_combine : uint8_t {
  fused,        ///< all blocks and C summed exactly, one rounding
  seq,          ///< blocks in ascending k: the term rounded to FP32, then an FP32 addition
  trfdpa,       ///< CDNA3's TR-FDPA [M, BF16 on gfx942] over groups of `group` products
  gtrfdpa,      ///< CDNA3's GTR-FDPA [M, FP8 on gfx942] over groups of `group` products
  block_first,  ///< aligned truncated addition of C and `group` exact block sums
};

/// What a scale byte 0xFF does in a scaled matrix instruction. [?]
enum class mfma_nan_scale : uint8_t {
  result_nan,    ///< every output that uses it is NaN, whatever the elements
  power_of_two,  ///< 2^128, an ordinary scale
};

/// How BF16 matrix instructions sum. [?] for gfx950's shapes.
enum class bf16_combine : uint8_t {
  fma_chain,  ///< acc = fma(a, b, acc) in FP32, ascending k
  exact_sum,  ///< products and C summed exactly, one rounding
  trfdpa_8,   ///< CDNA3's TR-FDPA over groups of 8 [M, on gfx942]
};

struct mfma_options {
  mfma_combine combine = mfma_combine::fused;
  /// Products (16, 32, 64, 128) of trfdpa and gtrfdpa, blocks (1, 2, 4) of block_first. A group longer than the
  /// instruction is the whole instruction.
  uint32_t group = 0;
  mfma_nan_scale nan_scale = mfma_nan_scale::result_nan;
  bf16_combine bf16 = bf16_combine::fma_chain;
  uint32_t nan = 0x7FC00000;  ///< the pattern of every NaN that comes out
};

/// Sets combine and group of `into` from "mfma_fused", "mfma_seq", "cdna3_trfdpa(L)", "cdna3_gtrfdpa(L)" or
/// "block_first_fdpa(n)"; an error that names the choices for any other text.
status set_mfma_model(mfma_options& into, std::string_view text);
/// Sets the BF16 model of `into` from "fma_chain", "exact_sum" or "cdna3_trfdpa(8)"; an error otherwise.
status set_bf16_model(mfma_options& into, std::string_view text);

struct division_options {
  /// v_rcp is the correctly rounded reciprocal moved away from zero by this many units in the last place (negative:
  /// toward zero). The manual allows 1 for FP32 and 2^29 for FP64. [A for the bound, ? for the bits]
  int32_t reciprocal_ulps = 0;
};

}  // namespace adahop::hip::sim
