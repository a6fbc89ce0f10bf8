// Which cores the bench runs on: one for each thread, no two of them the hardware threads of one core.
#pragma once
#include <vector>

namespace adahop::bench {

class placement {
 public:
  /// Takes up to `wanted` cores of those that this process may use.
  explicit placement(int wanted);

  int cores() const { return static_cast<int>(cores_.size()); }
  const std::vector<int>& list() const { return cores_; }

  /// Puts thread i of OpenMP's team of `threads` on the i-th core. Threads without a core of their own stay where they are.
  void pin(int threads) const;

  /// Whether the team of `threads` is still where pin() put it: the runtime could have replaced a thread.
  bool holds(int threads) const;

 private:
  std::vector<int> cores_;
};

}  // namespace adahop::bench
