// A code object made executable: its kernels, what their descriptors ask for, and every instruction decoded. Decides
// nothing numeric.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/status.h"
#include "sim/instruction.h"

namespace adahop::hip::sim {

/// What a kernel descriptor (64 bytes, symbol NAME.kd) says.
struct kernel_descriptor {
  uint32_t lds_bytes = 0;
  uint32_t scratch_bytes = 0;
  uint32_t kernarg_bytes = 0;
  uint32_t vgprs = 0;         ///< architected and accumulation registers together, as granted
  uint32_t accum_offset = 0;  ///< VGPRs before a0
  uint32_t sgprs = 0;
  // Scalar registers that the launch fills, in this order.
  bool private_segment_buffer = false, dispatch_ptr = false, queue_ptr = false, kernarg_segment_ptr = false,
       dispatch_id = false, flat_scratch_init = false, private_segment_size = false;
  uint32_t kernarg_preload_offset = 0, kernarg_preload_dwords = 0;
  bool workgroup_id_x = false, workgroup_id_y = false, workgroup_id_z = false, workgroup_info = false;
  uint32_t workitem_id_dimensions = 1;  ///< 1: x, 2: x and y, 3: all, packed ten bits each in v0
};

struct sim_kernel {
  std::string name;
  kernel_descriptor descriptor;
  uint32_t entry = 0;         ///< index in program::code of the first instruction
  uint32_t end = 0;           ///< one past the last
  uint32_t max_threads = 0;   ///< of a workgroup, from the metadata; 0 where it does not say
};

struct program {
  std::string name;                ///< for people: "quantize.co"
  std::vector<std::byte> image;    ///< the ELF file, for the symbolizer
  std::vector<instruction> code;   ///< all kernels, in address order
  std::vector<sim_kernel> kernels;

  const sim_kernel* find(std::string_view kernel) const;
  /// The kernel an instruction belongs to; null for none.
  const sim_kernel* kernel_of(uint32_t instruction_index) const;
};

/// Reads an ELF code object for amdgcn-amd-amdhsa gfx950, decodes it with LLVM and binds every instruction of every
/// kernel. The image is untrusted. ADAHOP_BAD_FILE: not such a file, damaged, or a kernel that needs what the simulator
/// has not (scratch memory, flush-to-zero, another rounding mode). ADAHOP_UNSUPPORTED: an unknown instruction, operand or
/// modifier, with its address and text. ADAHOP_DEVICE: LLVM's library is not there.
result<program> load_program(std::string_view name, std::span<const std::byte> image);

}  // namespace adahop::hip::sim
