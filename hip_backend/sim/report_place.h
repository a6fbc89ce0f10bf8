// From an address in a code object to a line of source, for the reports of faults. Decides nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace adahop::hip::sim {

/// "mx_tile.h:88, from mx_gemm.hip:40": where the code at `address` of the ELF file `image` comes from, by LLVM's
/// symbolizer (llvm-symbolizer-22, llvm-symbolizer, or ROCm's), which is run on a temporary copy. Empty where the file has
/// no line information or the program is not there. Slow: a process is started.
std::string source_place(std::span<const std::byte> image, uint64_t address);

/// "mx_tile.h:88" of each address, without the callers, by one process for many; all empty where there are none.
std::vector<std::string> source_places(std::span<const std::byte> image, std::span<const uint64_t> addresses);

}  // namespace adahop::hip::sim
