// Where basic blocks begin.
#include "sim/basic_blocks.h"

#include "sim/opcode.h"

namespace adahop::hip::sim {

std::vector<bool> block_starts(const program& code, const sim_kernel& kernel) {
  std::vector<bool> starts(kernel.end - kernel.entry);
  const auto begin_at = [&](uint32_t index) {
    if (index >= kernel.entry && index < kernel.end) starts[index - kernel.entry] = true;
  };
  begin_at(kernel.entry);
  for (uint32_t n = kernel.entry; n < kernel.end; ++n) {
    const instruction& i = code.code[n];
    if ((i.op->flags & kBranch) != 0) begin_at(i.target);
    if ((i.op->flags & (kBranch | kEndsBlock)) != 0) begin_at(n + 1);
  }
  return starts;
}

bool is_conditional_branch(const instruction& i) { return (i.op->flags & kBranch) != 0 && (i.op->flags & kEndsBlock) == 0; }

}  // namespace adahop::hip::sim
