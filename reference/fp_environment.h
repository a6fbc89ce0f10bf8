// The floating-point environment in which every operation of the reference computes: round to nearest even, no flush
// of subnormal operands or results, no traps, whatever the calling thread has set. Implements SPEC 1.3.
#pragma once
#include <cfenv>

namespace adahop::reference {

/// Holds the default environment while it lives and gives the thread its own back. One in each thread that computes;
/// worker threads of OpenMP inherit nothing dependable. On x86-64 and AArch64 the C library's default environment also
/// clears the flush-to-zero and denormals-are-zero bits.
class default_fp_environment {
 public:
  default_fp_environment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~default_fp_environment() { std::fesetenv(&saved_); }
  default_fp_environment(const default_fp_environment&) = delete;
  default_fp_environment& operator=(const default_fp_environment&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace adahop::reference
