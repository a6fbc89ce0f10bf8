// The 64 bytes that say how a kernel is launched. Decides which requests the simulator can meet. Fields from LLVM's AMDGPU
// usage guide, "Kernel Descriptor" for GFX90A and later GFX9.
#pragma once
#include "adahop/status.h"
#include "sim/elf_object.h"
#include "sim/program.h"

namespace adahop::hip::sim {

inline constexpr uint64_t kDescriptorBytes = 64;

struct read_descriptor_result {
  kernel_descriptor descriptor;
  int64_t entry_offset = 0;  ///< bytes from the descriptor to the kernel's code
};

/// ADAHOP_BAD_FILE, one line: a reserved bit is set, counts contradict each other, or the kernel needs what the simulator
/// has not (scratch memory, waves of 32 lanes, flushed denormals, another rounding, traps on exceptions).
result<read_descriptor_result> read_descriptor(byte_span bytes);

}  // namespace adahop::hip::sim
