// The scale byte of a block from the bits of its amax: four rules, in integers. Implements SPEC 5.1-5.7.
#pragma once
#include <cstdint>

#include "adahop/backend.h"

namespace adahop::reference {

/// The largest magnitude of 32 values, as FP32 bits with the sign cleared; above 0x7F7FFFFF if a NaN or Inf is among
/// them. Positive FP32 values order like their bits.
uint32_t amax_bits(const float* block);

/// The E8M0 byte, min_scale_byte..253, of a block with this finite amax. `min_scale_byte` is 0 or 1.
uint8_t scale_byte(uint32_t amax_bits, adahop_scale_rule rule, int min_scale_byte);

}  // namespace adahop::reference
