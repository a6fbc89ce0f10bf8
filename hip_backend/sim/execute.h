// Executing a workgroup: its waves in turn, each to its next barrier, with the checks that are switched on. Decides the
// order of waves and what a barrier and the end of a wave mean; nothing numeric.
#pragma once
#include <cstdint>

#include "sim/wave.h"

namespace adahop::hip::sim {

/// The lanes of wave `number` that hold work-items of a workgroup of `threads`.
uint64_t lanes_of_wave(uint32_t threads, uint32_t number);

/// Runs the waves of `group`, all at the kernel's entry, to their end. Throws fault at the first thing that the
/// hardware leaves undefined, and where a wave has executed options::instruction_budget instructions.
void run_workgroup(workgroup& group);

}  // namespace adahop::hip::sim
