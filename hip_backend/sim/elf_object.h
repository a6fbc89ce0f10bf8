// An ELF code object for gfx950, taken apart. The image is untrusted: every offset is checked before it is followed.
// Decides which files are code objects of this machine; the layout is the ELF64 specification's and LLVM's AMDGPU usage
// guide's ("ELF Code Object").
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "adahop/status.h"

namespace adahop::hip::sim {

using byte_span = std::span<const std::byte>;

/// Little-endian fields of an image; nothing where the field would reach outside.
class field_reader {
 public:
  explicit field_reader(byte_span bytes) : bytes_(bytes) {}

  template <class T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return {};
    uint64_t value = 0;
    for (size_t n = 0; n < sizeof(T); ++n) value |= std::to_integer<uint64_t>(bytes_[offset + n]) << (8 * n);
    return static_cast<T>(value);
  }
  std::optional<byte_span> part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || bytes_.size() - offset < size) return {};
    return bytes_.subspan(offset, size);
  }

 private:
  byte_span bytes_;
};

struct elf_section {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t address = 0;   ///< where the code object's own addresses place it
  uint64_t entry_size = 0;
  uint32_t link = 0;
  byte_span bytes;        ///< empty where the section has none in the file

  bool contains(uint64_t from, uint64_t size) const {
    return from >= address && from - address <= bytes.size() && bytes.size() - (from - address) >= size;
  }
};

struct elf_symbol {
  std::string_view name;
  uint8_t type = 0;       ///< STT_*
  uint16_t section = 0;   ///< index in elf_object::sections
  uint64_t address = 0, size = 0;
};

inline constexpr uint8_t kSymbolObject = 1, kSymbolFunction = 2;

/// Views into the image, which must outlive it.
struct elf_object {
  std::vector<elf_section> sections;
  std::vector<elf_symbol> symbols;   ///< the dynamic symbol table: what a loader may look up
  byte_span metadata;                ///< the msgpack document of NT_AMDGPU_METADATA; empty when there is none

  /// Null when there is no such section.
  const elf_section* find(std::string_view section) const;
};

/// ADAHOP_BAD_FILE, one line: not ELF64 little-endian, not for amdgcn-amd-amdhsa gfx950, not linked, damaged, or with
/// relocations, which the simulator does not apply.
result<elf_object> read_elf(byte_span image);

}  // namespace adahop::hip::sim
