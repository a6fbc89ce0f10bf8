// An opcode's operand form against the operands of one instruction. Decides nothing numeric.
#pragma once
#include "adahop/status.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {

/// Checks i.operands and i.mod against i.op and fills the lists of registers read and written, the implicit ones included.
/// ADAHOP_UNSUPPORTED, one line: number, kind, width or sign of an operand is not the form's.
status bind_form(instruction& i);

}  // namespace adahop::hip::sim
