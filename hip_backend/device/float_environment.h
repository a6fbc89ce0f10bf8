// The host's float environment while kernels or host steps compute: round to nearest even, nothing flushed, whatever the
// caller has set. Implements SPEC 1.3.
#pragma once
#include <cfenv>

namespace adahop::hip {

class default_float_environment {
 public:
  default_float_environment() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  default_float_environment(const default_float_environment&) = delete;
  default_float_environment& operator=(const default_float_environment&) = delete;
  ~default_float_environment() { std::fesetenv(&callers_); }

 private:
  std::fenv_t callers_;
};

}  // namespace adahop::hip
