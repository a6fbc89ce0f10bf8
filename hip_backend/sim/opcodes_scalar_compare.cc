// The scalar_compare family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> scalar_compare_opcodes() { return {}; }

}  // namespace adahop::hip::sim
