// What the checks say about registers: no load may be under way into one that is read or written, and one that is used must
// have been written (value_tracking.h finds the uses). Decides nothing numeric.
#pragma once
#include <cstdint>
#include <string>

#include "sim/wave.h"

namespace adahop::hip::sim {

/// "v12", "a3", "s7", "vcc_lo", "exec_hi", "m0": a register as the disassembler writes it.
std::string register_name(operand_kind kind, unsigned reg);

/// Faults unless `lanes` of vector register `reg` have been written. For handlers of kCrossLane opcodes, which choose the
/// lanes that they read; does nothing where the check is off.
void require_written(const wave& w, const instruction& i, unsigned reg, uint64_t lanes);

/// The fault of require_written(), for a register or its lane (vector) or bit's lane (lane masks); -1: as a whole.
[[noreturn]] void fail_unwritten(const wave& w, const instruction& i, operand_kind kind, unsigned reg, int lane);

/// Faults for a register that is read or written while a load is under way into it.
void check_pending(const wave& w, const instruction& i);

/// At launch: every register counts as never written, nothing is under way.
void forget_registers(wave& w);

}  // namespace adahop::hip::sim
