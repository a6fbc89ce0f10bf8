// The lds family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> lds_opcodes() { return {}; }

}  // namespace adahop::hip::sim
