// The scalar_flow family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> scalar_flow_opcodes() { return {}; }

}  // namespace adahop::hip::sim
