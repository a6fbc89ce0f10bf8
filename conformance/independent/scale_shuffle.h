// The shuffled order of scale bytes, by the view and the permutation that define it. Implements SPEC 3.5, 3.6.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace independent {

/// scales [rows][blocks] to one array in gfx950's order, the rows padded to a multiple of 32 and the blocks to one of 8
/// with `pad`.
std::vector<uint8_t> shuffled_scales(const std::vector<uint8_t>& scales, int rows, int blocks, uint8_t pad);

}  // namespace independent
