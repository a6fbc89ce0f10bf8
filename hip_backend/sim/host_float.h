// The host's floating-point environment while instructions execute.
#pragma once
#include <cfenv>

namespace adahop::hip::sim {

/// Round to nearest even, denormals kept (glibc's default environment resets flush-to-zero too), whatever the caller's
/// thread had; put back at the end. A thread that runs handlers holds one.
class default_float_environment {
 public:
  default_float_environment() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~default_float_environment() { std::fesetenv(&saved_); }
  default_float_environment(const default_float_environment&) = delete;
  default_float_environment& operator=(const default_float_environment&) = delete;

 private:
  std::fenv_t saved_;
};

}  // namespace adahop::hip::sim
