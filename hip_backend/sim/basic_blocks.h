// Basic blocks of a kernel: runs of instructions that are executed from the first to the last or not at all. Decides
// nothing but where they begin.
#pragma once
#include <vector>

#include "sim/program.h"

namespace adahop::hip::sim {

/// For each instruction of the kernel, from its entry on, whether a block begins there: at the entry, at the target of a
/// branch, behind a branch and behind an end. A barrier or a wait ends no block.
std::vector<bool> block_starts(const program& code, const sim_kernel& kernel);

/// Whether the instruction may go on in line or elsewhere.
bool is_conditional_branch(const instruction& i);

}  // namespace adahop::hip::sim
