// How often a test repeats itself: in full, or a fifth of that in a program built with sanitizers, which is there to find
// faults of memory and arithmetic in the code that runs, not one more value on the same path.
#pragma once

namespace adahop::test {

/// Of so many cases one runs. Five divides few lengths of loops, so that the cases that run are of every kind.
#ifdef ADAHOP_SANITIZED
inline constexpr int kReduction = 5;
#else
inline constexpr int kReduction = 1;
#endif

/// How many of `full` repetitions to make; at least one.
constexpr int repetitions(int full) { return (full + kReduction - 1) / kReduction; }

/// Picks from the cases of nested loops: every one, or every fifth.
class case_picker {
 public:
  bool runs() { return count_++ % kReduction == 0; }

 private:
  int count_ = 0;
};

}  // namespace adahop::test
