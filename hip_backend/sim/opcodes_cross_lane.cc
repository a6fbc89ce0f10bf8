// The cross_lane family of opcodes.
#include "sim/opcode.h"

namespace adahop::hip::sim {

std::span<const opcode> cross_lane_opcodes() { return {}; }

}  // namespace adahop::hip::sim
