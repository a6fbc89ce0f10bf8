// The one thing the simulator reads of a code object's metadata: how many work-items a workgroup may have.
#pragma once
#include <string_view>
#include <unordered_map>

#include "adahop/status.h"
#include "sim/elf_object.h"

namespace adahop::hip::sim {

/// .max_flat_workgroup_size of each kernel by its .name, from the msgpack document of NT_AMDGPU_METADATA (LLVM's AMDGPU
/// usage guide, "Code Object Metadata"). The names are views into `document`. ADAHOP_BAD_FILE, one line: not msgpack,
/// nested deeper than any metadata is, or reaching outside.
result<std::unordered_map<std::string_view, uint32_t>> read_workgroup_sizes(byte_span document);

}  // namespace adahop::hip::sim
