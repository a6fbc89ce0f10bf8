// How a wave stops when its program does what the hardware leaves undefined, or what the simulator does not know.
#pragma once
#include <exception>
#include <string>

#include "sim/wave.h"

namespace adahop::hip::sim {

/// Thrown by handlers and checks, caught where a workgroup is run; never leaves SimDevice.
struct fault : std::exception {
  std::string kind;        ///< "LDS race", "read of a register never written", ...
  std::string detail;
  uint32_t instruction = 0;  ///< index in program::code
  uint32_t group_x = 0, group_y = 0, group_z = 0;
  uint32_t wave_number = 0;
  int lane = -1;           ///< -1: the wave as a whole
  const char* what() const noexcept override { return kind.c_str(); }
};

[[noreturn]] void fail(const wave& w, const instruction& i, std::string kind, std::string detail, int lane = -1);

}  // namespace adahop::hip::sim
