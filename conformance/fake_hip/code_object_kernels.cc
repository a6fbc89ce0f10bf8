// A reader of the few ELF structures that name kernels.
#include "conformance/fake_hip/code_object_kernels.h"

#include <elf.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace adahop::fake_hip {
namespace {

constexpr uint16_t kMachineAmdGpu = 224;      // EM_AMDGPU
constexpr uint32_t kMachGfx950 = 0x04F;       // EF_AMDGPU_MACH_AMDGCN_GFX950, the low byte of e_flags
constexpr uint64_t kKernargSizeOffset = 8;    // in a kernel descriptor

template <class T>
T read(const unsigned char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

}  // namespace

std::optional<std::map<std::string, uint32_t>> kernels_of_code_object(const void* image) {
  const auto* const bytes = static_cast<const unsigned char*>(image);
  if (std::memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64) return std::nullopt;
  const auto header = read<Elf64_Ehdr>(bytes);
  if (header.e_machine != kMachineAmdGpu || (header.e_flags & 0xFFu) != kMachGfx950) return std::nullopt;

  std::vector<Elf64_Shdr> sections;
  for (uint16_t i = 0; i < header.e_shnum; ++i)
    sections.push_back(read<Elf64_Shdr>(bytes + header.e_shoff + uint64_t{i} * header.e_shentsize));
  std::map<std::string, uint32_t> kernels;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_DYNSYM) continue;
    const char* const names = reinterpret_cast<const char*>(bytes + sections[table.sh_link].sh_offset);
    for (uint64_t at = 0; at < table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(bytes + table.sh_offset + at);
      const std::string_view name = names + symbol.st_name;
      if (!name.ends_with(".kd")) continue;
      const Elf64_Shdr& home = sections[symbol.st_shndx];
      const unsigned char* const descriptor = bytes + home.sh_offset + (symbol.st_value - home.sh_addr);
      kernels[std::string(name.substr(0, name.size() - 3))] = read<uint32_t>(descriptor + kKernargSizeOffset);
    }
  }
  return kernels;
}

}  // namespace adahop::fake_hip
