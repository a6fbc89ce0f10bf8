// A fiber: a flow of control with its own stack that gives up the processor only where it says so. Two
// implementations, chosen by CMake: x86-64 assembly (a few ns a switch) and ucontext (anywhere else, slower).
#pragma once
#include <cstddef>

#if defined(ADAHOP_FIBER_UCONTEXT)
#include <ucontext.h>
#endif

namespace adahop::hip::cpu {

struct fiber {
#if defined(ADAHOP_FIBER_UCONTEXT)
  ucontext_t context;
#else
  void* stack_pointer = nullptr;
#endif
  // What AddressSanitizer has to know to follow a switch.
  void* stack_bottom = nullptr;
  size_t stack_bytes = 0;
  void* fake_stack = nullptr;
};

/// Makes `f` stand for the calling thread's own stack.
void adopt_thread(fiber& f);

/// Makes `f` start in `entry`, which must never return, on a stack of `bytes` bytes that begins at `bottom`. The
/// first frame lies `offset` bytes (a multiple of 16) below the top, so that stacks do not share cache sets.
void prepare_fiber(fiber& f, void* bottom, size_t bytes, size_t offset, void (*entry)());

/// Saves the caller in `from` and goes on in `to`; returns when somebody switches back to `from`.
void switch_fiber(fiber& from, fiber& to);

/// To be called first on a fresh fiber.
void enter_fiber();

/// Goes on in `to` for good; `from`, the caller, has to be prepared again before it is used.
[[noreturn]] void leave_fiber(fiber& from, fiber& to);

/// Forgets the red zones that abandoned frames left on a stack; does nothing without AddressSanitizer.
void clean_stack(void* bottom, size_t bytes);

}  // namespace adahop::hip::cpu
