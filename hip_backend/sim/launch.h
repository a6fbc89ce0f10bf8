// A launch: what a kernel descriptor asks for at the start of a wave, the segment of kernel arguments, and a grid's
// workgroups on the host's threads. Register layout and hidden arguments: LLVM's user guide for AMDGPU, code object v5.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adahop/status.h"
#include "device/device.h"
#include "sim/fault.h"
#include "sim/options.h"
#include "sim/program.h"

namespace adahop::hip::sim {

/// Everything about a launch but its memory.
struct grid_launch {
  const program* code = nullptr;
  const sim_kernel* kernel = nullptr;
  extent3 groups;
  extent3 threads;  ///< of a workgroup
};

/// Whether the launch fits the kernel: size of a workgroup, scalar registers that it wants filled, scratch memory.
status check_launch(const grid_launch& launch);

/// Whether every instruction keeps within the registers that its kernel's descriptor asks for. ADAHOP_BAD_FILE names the
/// first that does not.
status check_register_counts(const program& code);

/// The bytes of the argument segment, the caller's first. A kernel that wants hidden arguments gets block counts, sizes,
/// remainders, offsets and dimensions.
struct argument_segment {
  std::vector<std::byte> bytes;
  size_t given = 0;    ///< by the caller
  size_t written = 0;  ///< have a value; the rest, pointers into a runtime that is not there, must not be read
};
result<argument_segment> make_arguments(const grid_launch& launch, std::span<const std::byte> args);

/// The state of wave `number` of a workgroup at the kernel's entry, the arguments lying at `arguments`.
void start_wave(wave& w, const grid_launch& launch, uint64_t arguments, const argument_segment& segment);

}  // namespace adahop::hip::sim
