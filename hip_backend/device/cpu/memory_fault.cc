// The signal handler of hip-cpu. Implements SPEC 13.4.
#include "device/cpu/memory_fault.h"

#include <cstdlib>
#include <mutex>

#include "device/cpu/block_execution.h"

namespace adahop::hip::cpu {
namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS};
constexpr size_t kSignalStackBytes = 64 * 1024;

std::mutex scopes_mutex;
int scopes = 0;
struct sigaction before[2];

void pass_on(int signal_number, siginfo_t* info, void* context) {
  const struct sigaction& old = before[signal_number == SIGSEGV ? 0 : 1];
  if ((old.sa_flags & SA_SIGINFO) != 0) {
    old.sa_sigaction(signal_number, info, context);
  } else if (old.sa_handler == SIG_DFL || old.sa_handler == SIG_IGN) {
    // The instruction runs again and ends the process as if we were not here.
    signal(signal_number, SIG_DFL);
  } else {
    old.sa_handler(signal_number);
  }
}

void on_memory_fault(int signal_number, siginfo_t* info, void* context) {
  block_execution* block = running_block;
  // Leaves this frame for good: the signal is not blocked (SA_NODEFER), and the next one starts on a fresh stack.
  if (block != nullptr && block->in_lane()) block->fail_on_address(info->si_addr);
  pass_on(signal_number, info, context);
}

}  // namespace

memory_fault_scope::memory_fault_scope() {
  const std::lock_guard lock(scopes_mutex);
  if (scopes++ != 0) return;
  struct sigaction action = {};
  action.sa_sigaction = on_memory_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < 2; i++) {
    if (sigaction(kSignals[i], &action, &before[i]) != 0) std::abort();
  }
}

memory_fault_scope::~memory_fault_scope() {
  const std::lock_guard lock(scopes_mutex);
  if (--scopes != 0) return;
  for (int i = 0; i < 2; i++) sigaction(kSignals[i], &before[i], nullptr);
}

signal_stack_scope::signal_stack_scope() : memory_(std::make_unique_for_overwrite<std::byte[]>(kSignalStackBytes)) {
  stack_t stack = {};
  stack.ss_sp = memory_.get();
  stack.ss_size = kSignalStackBytes;
  if (sigaltstack(&stack, &before_) != 0) std::abort();
}

signal_stack_scope::~signal_stack_scope() { sigaltstack(&before_, nullptr); }

}  // namespace adahop::hip::cpu
