// The integer_move family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> integer_move_opcodes() { return {}; }

}  // namespace adahop::hip::sim
