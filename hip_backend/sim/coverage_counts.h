// How often each instruction of a kernel was executed, counted by one host thread.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/program.h"

namespace adahop::hip::sim {

class execution_counts {
 public:
  execution_counts() = default;
  explicit execution_counts(const sim_kernel& kernel)
      : entry_(kernel.entry), executed_(kernel.end - kernel.entry), taken_(kernel.end - kernel.entry) {}

  void begin(const instruction& i) { ++executed_[i.index - entry_]; }
  /// `next` is executed after i: not the instruction behind it where i is a branch that was taken.
  void end(const instruction& i, uint32_t next) { taken_[i.index - entry_] += next != i.index + 1 ? 1 : 0; }
  /// Both count the same kernel.
  void add(const execution_counts& other) {
    for (size_t n = 0; n < executed_.size(); ++n) {
      executed_[n] += other.executed_[n];
      taken_[n] += other.taken_[n];
    }
  }

  // From the kernel's entry on.
  const std::vector<uint64_t>& executed() const { return executed_; }
  const std::vector<uint64_t>& taken() const { return taken_; }

 private:
  uint32_t entry_ = 0;
  std::vector<uint64_t> executed_, taken_;
};

}  // namespace adahop::hip::sim
