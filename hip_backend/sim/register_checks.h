// The checks of registers around each handler: a source must have been written in every lane that is read, and no load
// may still be under way into a register that is read or written. Decides nothing numeric.
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

/// Before the handler: faults for sources never written and for registers with a load under way. Destinations count as
/// written from here on, except those of kCrossLane opcodes.
void check_registers(wave& w, const instruction& i);

/// After the handler of a kCrossLane opcode: its destinations count as written. An opcode that is kMove too has copied
/// wave::vgpr_defined itself.
void mark_cross_lane(wave& w, const instruction& i);

/// At launch: every register counts as never written, nothing is under way.
void forget_registers(wave& w);

}  // namespace adahop::hip::sim
