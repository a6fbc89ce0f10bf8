// The integer_packed family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> integer_packed_opcodes() { return {}; }

}  // namespace adahop::hip::sim
