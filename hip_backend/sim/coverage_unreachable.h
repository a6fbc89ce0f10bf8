// Basic blocks that no legal call can reach, as a committed list with a reason each: artefacts of the compiler. A block is
// known by the text of the instruction before it and of its first one, which a change elsewhere in a kernel leaves alone.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sim/coverage.h"

namespace adahop::hip::sim {

/// '*' in the first four texts stands for anything.
struct unreachable_entry {
  size_t line = 0;       ///< of the list
  std::string level;
  std::string kernel;
  std::string before;    ///< text of the instruction in front of the block, a branch or an end
  std::string first;     ///< of the block
  std::string why;
};

/// One entry a line, "LEVEL KERNEL | BEFORE | FIRST | WHY"; '#' begins a comment. ADAHOP_BAD_FILE names `name` and the line.
result<std::vector<unreachable_entry>> parse_unreachable(std::string_view name, std::string_view text);

/// Kernels that were not launched, blocks that were not executed and stand in no entry, as block_name(); then, naming the line of the list, entries whose
/// block was executed and entries without a block. Empty when coverage and list agree.
std::vector<std::string> check_unreachable(const coverage& c, const std::vector<unreachable_entry>& list);

}  // namespace adahop::hip::sim
