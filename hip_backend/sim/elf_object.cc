// Reading the ELF headers, sections, dynamic symbols and the metadata note.
#include "sim/elf_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace adahop::hip::sim {
namespace {

// ELF64.
constexpr uint64_t kHeaderBytes = 64, kSectionHeaderBytes = 64, kSymbolBytes = 24;
constexpr uint16_t kTypeDynamic = 3, kMachineAmdgpu = 224;
constexpr uint32_t kSectionStrings = 3, kSectionRela = 4, kSectionNote = 7, kSectionNoBits = 8, kSectionRel = 9,
                   kSectionDynamicSymbols = 11;
// AMDGPU: e_ident[EI_OSABI], and the machine in the low byte of e_flags.
constexpr uint8_t kAbiAmdhsa = 64;
constexpr uint32_t kFlagsMachine = 0xFF, kMachineGfx950 = 0x4F;
constexpr uint32_t kNoteMetadata = 32;

status damaged(std::string what) { return bad_file("code object: " + std::move(what)); }

uint64_t aligned(uint64_t n) { return (n + 3) / 4 * 4; }

// The text up to the next NUL; nothing when there is none within the table.
std::optional<std::string_view> text_at(byte_span table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const char* first = reinterpret_cast<const char*>(table.data()) + offset;
  const char* end = reinterpret_cast<const char*>(table.data()) + table.size();
  const char* nul = std::find(first, end, '\0');
  if (nul == end) return {};
  return std::string_view(first, static_cast<size_t>(nul - first));
}

status check_header(byte_span image) {
  const field_reader r(image);
  constexpr std::array<uint8_t, 7> kIdent = {0x7F, 'E', 'L', 'F', /*64 bits*/ 2, /*little-endian*/ 1, /*version*/ 1};
  if (image.size() < kHeaderBytes)
    return damaged(fmt::format("{} bytes, an ELF header of {} expected", image.size(), kHeaderBytes));
  for (size_t n = 0; n < kIdent.size(); ++n)
    if (r.at<uint8_t>(n) != kIdent[n]) return damaged(fmt::format("byte {} is not that of ELF64, little-endian", n));
  if (r.at<uint8_t>(7) != kAbiAmdhsa)
    return damaged(fmt::format("OS ABI {}, {} (amdgpu-hsa) expected", *r.at<uint8_t>(7), kAbiAmdhsa));
  if (r.at<uint16_t>(18) != kMachineAmdgpu)
    return damaged(fmt::format("machine {}, {} (AMDGPU) expected", *r.at<uint16_t>(18), kMachineAmdgpu));
  if ((*r.at<uint32_t>(48) & kFlagsMachine) != kMachineGfx950)
    return damaged(fmt::format("processor 0x{:x} in e_flags, 0x{:x} (gfx950) expected", *r.at<uint32_t>(48) & kFlagsMachine,
                               kMachineGfx950));
  if (r.at<uint16_t>(16) != kTypeDynamic)
    return damaged(fmt::format("ELF type {}, {} (a linked code object) expected", *r.at<uint16_t>(16), kTypeDynamic));
  return {};
}

result<elf_section> read_section(const field_reader& r, uint64_t at, unsigned index) {
  elf_section s;
  s.type = *r.at<uint32_t>(at + 4);
  s.flags = *r.at<uint64_t>(at + 8);
  s.address = *r.at<uint64_t>(at + 16);
  const uint64_t offset = *r.at<uint64_t>(at + 24), size = *r.at<uint64_t>(at + 32);
  s.link = *r.at<uint32_t>(at + 40);
  s.entry_size = *r.at<uint64_t>(at + 56);
  if (s.type == 0 || s.type == kSectionNoBits) return s;
  const auto bytes = r.part(offset, size);
  if (!bytes) return damaged(fmt::format("section {}: {} bytes at offset {} reach outside the file", index, size, offset));
  if (s.address > UINT64_MAX - size) return damaged(fmt::format("section {}: its addresses wrap around", index));
  s.bytes = *bytes;
  return s;
}

status read_sections(byte_span image, elf_object& object) {
  const field_reader r(image);
  const uint64_t table = *r.at<uint64_t>(40);
  const uint16_t entry = *r.at<uint16_t>(58), count = *r.at<uint16_t>(60), names = *r.at<uint16_t>(62);
  if (entry != kSectionHeaderBytes || count == 0 || names >= count || !r.part(table, uint64_t{count} * entry))
    return damaged("no table of section headers within the file");
  std::vector<uint32_t> name_offsets;
  for (unsigned n = 0; n < count; ++n) {
    const uint64_t at = table + uint64_t{n} * entry;
    auto s = read_section(r, at, n);
    if (!s.ok()) return s.why();
    name_offsets.push_back(*r.at<uint32_t>(at));
    object.sections.push_back(s.value());
  }
  if (object.sections[names].type != kSectionStrings) return damaged("section names are in no string table");
  for (unsigned n = 1; n < count; ++n) {
    const auto name = text_at(object.sections[names].bytes, name_offsets[n]);
    if (!name) return damaged(fmt::format("section {} has no name within the string table", n));
    object.sections[n].name = *name;
  }
  return {};
}

status refuse_relocations(const elf_object& object) {
  for (const elf_section& s : object.sections)
    if ((s.type == kSectionRel || s.type == kSectionRela) && !s.bytes.empty())
      return damaged("has relocations, which the simulator does not apply");
  return {};
}

status read_symbols(elf_object& object) {
  const auto is_table = [](const elf_section& s) { return s.type == kSectionDynamicSymbols; };
  const auto table = std::find_if(object.sections.begin(), object.sections.end(), is_table);
  if (table == object.sections.end()) return damaged("no dynamic symbol table");
  if (table->entry_size != kSymbolBytes || table->bytes.size() % kSymbolBytes != 0 ||
      table->link >= object.sections.size() || object.sections[table->link].type != kSectionStrings)
    return damaged("a dynamic symbol table that is not ELF64's");
  const field_reader r(table->bytes);
  for (uint64_t at = kSymbolBytes; at < table->bytes.size(); at += kSymbolBytes) {
    elf_symbol s;
    const auto name = text_at(object.sections[table->link].bytes, *r.at<uint32_t>(at));
    if (!name) return damaged(fmt::format("symbol {} has no name within the string table", at / kSymbolBytes));
    const auto printable = [](char c) { return c > ' ' && c <= '~'; };
    if (!std::all_of(name->begin(), name->end(), printable))
      return damaged(fmt::format("symbol {} has a name that is not printable", at / kSymbolBytes));
    s.name = *name;
    s.type = *r.at<uint8_t>(at + 4) & 0xF;
    s.section = *r.at<uint16_t>(at + 6);
    s.address = *r.at<uint64_t>(at + 8);
    s.size = *r.at<uint64_t>(at + 16);
    object.symbols.push_back(s);
  }
  return {};
}

// A note section is a row of (name size, content size, type, name, content), each part padded to 4 bytes.
status read_notes(elf_object& object) {
  for (const elf_section& s : object.sections) {
    if (s.type != kSectionNote) continue;
    const field_reader r(s.bytes);
    for (uint64_t at = 0; at < s.bytes.size();) {
      const auto name_size = r.at<uint32_t>(at), size = r.at<uint32_t>(at + 4), type = r.at<uint32_t>(at + 8);
      if (!name_size || !size || !type) return damaged("a note is cut off");
      const uint64_t name_at = at + 12, content_at = name_at + aligned(*name_size);
      const auto content = r.part(content_at, *size);
      if (!content) return damaged("a note reaches outside its section");
      if (*type == kNoteMetadata && text_at(s.bytes, name_at) == "AMDGPU") object.metadata = *content;
      at = content_at + aligned(*size);
    }
  }
  return {};
}

}  // namespace

const elf_section* elf_object::find(std::string_view section) const {
  const auto at = std::find_if(sections.begin(), sections.end(), [&](const elf_section& s) { return s.name == section; });
  return at == sections.end() ? nullptr : &*at;
}

result<elf_object> read_elf(byte_span image) {
  elf_object object;
  ADAHOP_TRY(check_header(image));
  ADAHOP_TRY(read_sections(image, object));
  ADAHOP_TRY(refuse_relocations(object));
  ADAHOP_TRY(read_symbols(object));
  ADAHOP_TRY(read_notes(object));
  return object;
}

}  // namespace adahop::hip::sim
