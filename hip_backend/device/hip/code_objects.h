// The gfx950 machine code of the kernels, as the build embedded it. Decides nothing.
#pragma once
#include <span>
#include <string_view>

namespace adahop::hip {

/// An ELF file for the GPU and the kernels that it holds.
struct code_object {
  std::string_view name;
  std::span<const unsigned char> image;
  std::span<const std::string_view> kernels;
};

/// Every code object of this build, compiled at -O3; none where it had no compiler for gfx950.
std::span<const code_object> gfx950_code_objects();
/// The same at -O2, for the simulator.
std::span<const code_object> gfx950_code_objects_O2();

}  // namespace adahop::hip
