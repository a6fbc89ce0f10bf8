// Which registers hold a value that somebody wrote, lane by lane and bit by bit, through every instruction. A value that
// was never written may be copied and computed with, as compilers let it where the result does not matter; using it (as
// address, stored data, condition, lane mask or matrix operand) is a fault. Decides nothing numeric.
#pragma once
#include "sim/wave.h"

namespace adahop::hip::sim {

/// Before the handler, whose inputs it looks at: faults for uses, then marks the results. Not the results of kCrossLane
/// opcodes, of which mark_cross_lane() takes care after the handler.
void track_values(wave& w, const instruction& i);

/// Of an opcode with value_rule::cross_lane: its results have values in the lanes of EXEC.
void mark_cross_lane(wave& w, const instruction& i);

}  // namespace adahop::hip::sim
