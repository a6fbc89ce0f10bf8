// Turns SIGSEGV and SIGBUS of a kernel's thread into a fault of its block. Implements SPEC 13.4.
#pragma once
#include <csignal>
#include <cstddef>
#include <memory>

namespace adahop::hip::cpu {

/// While one exists, the process-wide handlers are ours; signals that no kernel caused go to the handlers before.
class memory_fault_scope {
 public:
  memory_fault_scope();
  ~memory_fault_scope();
  memory_fault_scope(const memory_fault_scope&) = delete;
  memory_fault_scope& operator=(const memory_fault_scope&) = delete;
};

/// Gives the calling OS thread a stack of its own for signals: a fiber whose stack has overflowed has none.
class signal_stack_scope {
 public:
  signal_stack_scope();
  ~signal_stack_scope();
  signal_stack_scope(const signal_stack_scope&) = delete;
  signal_stack_scope& operator=(const signal_stack_scope&) = delete;

 private:
  std::unique_ptr<std::byte[]> memory_;
  stack_t before_ = {};
};

}  // namespace adahop::hip::cpu
