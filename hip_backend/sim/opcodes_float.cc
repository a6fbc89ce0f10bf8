// The float family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> float_opcodes() { return {}; }

}  // namespace adahop::hip::sim
