// The conversion family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> conversion_opcodes() { return {}; }

}  // namespace adahop::hip::sim
