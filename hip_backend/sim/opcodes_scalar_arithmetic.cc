// The scalar_arithmetic family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> scalar_arithmetic_opcodes() { return {}; }

}  // namespace adahop::hip::sim
