// A kernel as text: basic blocks, instructions, source lines. Decides nothing.
#pragma once
#include <string>

#include "sim/program.h"

namespace adahop::hip::sim {

/// What the descriptor asks for, then each basic block with its instructions: address, text, the target of a branch and the
/// source line where it changes. Slow: a process looks the lines up.
std::string kernel_listing(const program& code, const sim_kernel& kernel);

}  // namespace adahop::hip::sim
