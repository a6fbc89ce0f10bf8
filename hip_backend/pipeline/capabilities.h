// What the kernels of this backend can do, on every device they run on; the checks refuse the rest. Implements SPEC 13.1.
#pragma once
#include "adahop/backend.h"

namespace adahop::hip {

constexpr uint32_t bit(int value) { return uint32_t{1} << value; }

inline constexpr adahop_capabilities kCapabilities = {
    .struct_size = sizeof(adahop_capabilities),
    .ops = bit(ADAHOP_OP_COUNT) - 1,
    .modes = bit(ADAHOP_MODE_BITEXACT) | bit(ADAHOP_MODE_NATIVE),
    .memories = bit(ADAHOP_MEMORY_HOST) | bit(ADAHOP_MEMORY_DEVICE),
    .scale_rules = bit(ADAHOP_SCALE_FLOOR) | bit(ADAHOP_SCALE_CEIL) | bit(ADAHOP_SCALE_EVEN) | bit(ADAHOP_SCALE_RCEIL),
    .element_roundings = bit(ADAHOP_ROUND_RNE) | bit(ADAHOP_ROUND_STOCHASTIC) | bit(ADAHOP_ROUND_GFX950_SR),
    .nonfinite = bit(ADAHOP_NONFINITE_BLOCK_NAN) | bit(ADAHOP_NONFINITE_REJECT),
    .hadamard_signs = bit(ADAHOP_SIGNS_NONE) | bit(ADAHOP_SIGNS_RANDOM),
    .hadamard_sizes = bit(0) | bit(1) | bit(2) | bit(3),  // 16, 32, 64, 128
    .hadamard_outputs = bit(ADAHOP_F32) | bit(ADAHOP_BF16),
    .gemm_models = bit(ADAHOP_GEMM_BLOCK_RNE),
    .bf16_gemm_models = bit(ADAHOP_BF16_SEQ_FMA),
    .outputs = bit(ADAHOP_F32) | bit(ADAHOP_BF16),
    .pads = bit(ADAHOP_PAD_ERROR) | bit(ADAHOP_PAD_ZERO),
    .nibble_orders = bit(ADAHOP_NIBBLES_LINEAR),
    .scale_layouts = bit(ADAHOP_LAYOUT_LINEAR) | bit(ADAHOP_LAYOUT_GFX950_SHUFFLE),
    .left_oe_on_dw = bit(ADAHOP_LEFT_OE_PUBLISHED) | bit(ADAHOP_LEFT_OE_PORT),
};

}  // namespace adahop::hip
