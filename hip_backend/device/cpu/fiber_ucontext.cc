// Fiber switch where there is no assembly for the processor: POSIX ucontext, one system call a switch.
#include <cstdlib>

#include "device/cpu/fiber_context.h"

namespace adahop::hip::cpu {

void prepare_context(fiber& f, size_t usable, void (*entry)()) {
  if (getcontext(&f.context) != 0) std::abort();
  f.context.uc_stack.ss_sp = f.stack_bottom;
  f.context.uc_stack.ss_size = usable;
  f.context.uc_link = nullptr;
  makecontext(&f.context, entry, 0);
}

void switch_context(fiber& from, fiber& to) {
  if (swapcontext(&from.context, &to.context) != 0) std::abort();
}

}  // namespace adahop::hip::cpu
