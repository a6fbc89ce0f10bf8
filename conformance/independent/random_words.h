// The random words behind stochastic rounding and random signs. Implements the generators of SPEC 5.18, 5.20, 6.11.
#pragma once
#include <array>
#include <cstdint>

namespace independent {

/// Philox4x32 with ten rounds, as published: counter and key to four words.
std::array<uint32_t, 4> philox4x32_10(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// u of the element at `index` for stochastic(bits, seed, offset).
uint32_t stochastic_word(int bits, uint64_t seed, uint64_t offset, uint64_t index);

/// The word of the element at (outer, inner_index) of a tensor with `inner` columns, for gfx950_sr(seed).
uint32_t gfx950_word(uint64_t seed, uint64_t outer, uint64_t inner_index, uint64_t inner);

/// Whether hadamard_signs=random(seed) gives -1 at `index` along the inner dimension.
bool sign_is_minus(uint64_t seed, uint64_t index);

}  // namespace independent
