// The integer_16 family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> integer_16_opcodes() { return {}; }

}  // namespace adahop::hip::sim
