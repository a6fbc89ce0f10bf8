// The address of a global instruction, from the ISA manual and LLVM's description of the scalar base: a pair of vector
// registers, or a scalar pair plus 32 unsigned bits of one vector register; plus the signed offset.
#pragma once
#include "sim/instruction.h"
#include "sim/launch_memory.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

/// `address` and `base` are numbers of operands.
inline void global_addresses(const wave& w, const instruction& i, unsigned address, unsigned base, lane_addresses& out) {
  const operand &v = i.operands[address], &s = i.operands[base];
  const auto offset = static_cast<uint64_t>(int64_t{i.mod.offset});
  const uint32_t* low = w.vgpr[v.reg];
  if (s.kind == operand_kind::scalar) {
    const uint64_t start = w.pair(s.reg) + offset;
    for (unsigned l = 0; l < kLanes; ++l) out[l] = start + low[l];
    return;
  }
  const uint32_t* high = w.vgpr[v.reg + 1];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = (low[l] | uint64_t{high[l]} << 32) + offset;
}

}  // namespace adahop::hip::sim
