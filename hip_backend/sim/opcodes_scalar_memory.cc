// The scalar_memory family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> scalar_memory_opcodes() { return {}; }

}  // namespace adahop::hip::sim
