// The integer_compare family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> integer_compare_opcodes() { return {}; }

}  // namespace adahop::hip::sim
