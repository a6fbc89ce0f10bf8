// What the reference claims, and the refusal of every policy it does not. Implements SPEC 1.7, 13.1.
#pragma once
#include "adahop/policy.h"

namespace adahop::reference {

inline constexpr adahop_capabilities kCapabilities = [] {
  const auto bit = [](int value) { return 1u << value; };
  adahop_capabilities c{};
  c.struct_size = sizeof(adahop_capabilities);
  c.ops = bit(ADAHOP_OP_COUNT) - 1u;
  c.modes = bit(ADAHOP_MODE_BITEXACT);
  c.memories = bit(ADAHOP_MEMORY_HOST);
  c.scale_rules = bit(ADAHOP_SCALE_FLOOR) | bit(ADAHOP_SCALE_CEIL) | bit(ADAHOP_SCALE_EVEN) | bit(ADAHOP_SCALE_RCEIL);
  c.element_roundings = bit(ADAHOP_ROUND_RNE) | bit(ADAHOP_ROUND_STOCHASTIC) | bit(ADAHOP_ROUND_GFX950_SR);
  c.nonfinite = bit(ADAHOP_NONFINITE_BLOCK_NAN) | bit(ADAHOP_NONFINITE_REJECT);
  c.hadamard_signs = bit(ADAHOP_SIGNS_NONE) | bit(ADAHOP_SIGNS_RANDOM);
  c.hadamard_sizes = bit(0) | bit(1) | bit(2) | bit(3);  // 16, 32, 64, 128
  c.hadamard_outputs = bit(ADAHOP_F32) | bit(ADAHOP_BF16);
  c.gemm_models = bit(ADAHOP_GEMM_BLOCK_RNE) | bit(ADAHOP_GEMM_EXACT_SUM) | bit(ADAHOP_GEMM_MFMA_FUSED) |
                  bit(ADAHOP_GEMM_MFMA_SEQ) | bit(ADAHOP_GEMM_CDNA3_TRFDPA) | bit(ADAHOP_GEMM_CDNA3_GTRFDPA) |
                  bit(ADAHOP_GEMM_BLOCK_FIRST_FDPA);
  c.bf16_gemm_models = bit(ADAHOP_BF16_SEQ_FMA) | bit(ADAHOP_BF16_EXACT_SUM) | bit(ADAHOP_BF16_CDNA3_TRFDPA);
  c.outputs = bit(ADAHOP_F32) | bit(ADAHOP_BF16);
  c.pads = bit(ADAHOP_PAD_ERROR) | bit(ADAHOP_PAD_ZERO);
  c.nibble_orders = bit(ADAHOP_NIBBLES_LINEAR);
  c.scale_layouts = bit(ADAHOP_LAYOUT_LINEAR) | bit(ADAHOP_LAYOUT_GFX950_SHUFFLE);
  c.left_oe_on_dw = bit(ADAHOP_LEFT_OE_PUBLISHED) | bit(ADAHOP_LEFT_OE_PORT);
  return c;
}();

/// ADAHOP_INVALID_ARGUMENT for a record outside its ranges, ADAHOP_UNSUPPORTED naming the field for one that
/// kCapabilities does not claim. The whole record is judged, whatever the operation reads of it.
status check_policy(const policy* p);

}  // namespace adahop::reference
