// The two steps of a fiber that depend on the processor.
#pragma once
#include "device/cpu/fiber.h"

namespace adahop::hip::cpu {

/// Sets up `f` to start in `entry` with its first frame `usable` bytes above f.stack_bottom.
void prepare_context(fiber& f, size_t usable, void (*entry)());

void switch_context(fiber& from, fiber& to);

}  // namespace adahop::hip::cpu
