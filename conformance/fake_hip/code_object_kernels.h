// The kernels of an AMD GPU code object, read from the ELF file itself: names and sizes of their argument buffers.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace adahop::fake_hip {

/// Kernel name to bytes of its kernarg segment, from the kernel descriptors (symbols NAME.kd). None when `image` is no ELF
/// file for a gfx950. The file's own offsets are trusted, as HIP trusts them.
std::optional<std::map<std::string, uint32_t>> kernels_of_code_object(const void* image);

}  // namespace adahop::fake_hip
