// The global family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> global_opcodes() { return {}; }

}  // namespace adahop::hip::sim
