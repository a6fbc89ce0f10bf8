// Coverage for people: a table of kernels, then what was never executed, as a listing.
#pragma once
#include <string>

#include "sim/coverage.h"

namespace adahop::hip::sim {

/// A line a kernel and level with instructions, basic blocks and ways of branches, executed of all; a line a level; then
/// each kernel that was never launched and each block of the others that was never executed, with addresses, source lines and text; then each executed conditional branch that
/// always went the same way.
std::string coverage_text(const coverage& c);

/// "O3 quantize__e2m1, 1c0-1d8 (mx_tile.h:88)": a block by its addresses and the source of its first instruction.
std::string block_name(const kernel_coverage& k, const covered_block& b);

}  // namespace adahop::hip::sim
