// Fiber switch for x86-64 (System V ABI): the callee-saved registers go on the stack that is left, then the stack
// pointer changes. The floating point control words are not saved: kernels do not change them.
#include <cstdint>

#include "device/cpu/fiber_context.h"

extern "C" void adahop_hip_cpu_switch_stack(void** save_stack_pointer, void* new_stack_pointer)
    __attribute__((visibility("hidden")));

asm(R"(
  .pushsection .text
  .p2align 4
  .globl adahop_hip_cpu_switch_stack
  .hidden adahop_hip_cpu_switch_stack
  .type adahop_hip_cpu_switch_stack, @function
adahop_hip_cpu_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size adahop_hip_cpu_switch_stack, . - adahop_hip_cpu_switch_stack
  .popsection
)");

namespace adahop::hip::cpu {

void prepare_context(fiber& f, size_t usable, void (*entry)()) {
  // From low to high: six registers, the address that `ret` takes, and a null return address for `entry`, which so
  // finds the stack as a call leaves it: 8 below a multiple of 16.
  constexpr size_t kRegisters = 6;
  auto* top = reinterpret_cast<uintptr_t*>(static_cast<char*>(f.stack_bottom) + usable);
  uintptr_t* frame = top - kRegisters - 2;
  for (size_t i = 0; i < kRegisters; i++) frame[i] = 0;
  frame[kRegisters] = reinterpret_cast<uintptr_t>(entry);
  frame[kRegisters + 1] = 0;
  f.stack_pointer = frame;
}

void switch_context(fiber& from, fiber& to) { adahop_hip_cpu_switch_stack(&from.stack_pointer, to.stack_pointer); }

}  // namespace adahop::hip::cpu
