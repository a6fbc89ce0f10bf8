// Additions of several numbers aligned at the largest exponent and cut there, as matrix units do them: the algorithms
// behind the models cdna3_trfdpa, cdna3_gtrfdpa and block_first_fdpa. Implements SPEC 10.15 to 10.17.
#pragma once
#include <span>

#include "products.h"

namespace independent {

/// One group of products onto the FP32 pattern `acc`. Products that a last group lacks need not be there.
uint32_t tr_fdpa(uint32_t acc, std::span<const product> group);

/// The same with products of even and of odd place in the group summed apart; a group starts at an even k.
uint32_t gtr_fdpa(uint32_t acc, std::span<const product> group);

/// One group of block pairs onto `acc`, which is not NaN.
uint32_t block_first_fdpa(uint32_t acc, std::span<const block_pair> group);

}  // namespace independent
