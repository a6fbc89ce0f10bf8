// The scalar_bit family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> scalar_bit_opcodes() { return {}; }

}  // namespace adahop::hip::sim
