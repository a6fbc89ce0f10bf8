// Hand-made code objects for the loader's tests: one ELF image with the sections a loader reads, every field open to
// damage.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace adahop::hip::sim::test {

using image = std::vector<std::byte>;

template <class T>
void put(image& bytes, size_t at, T value) {
  if (bytes.size() < at + sizeof value) bytes.resize(at + sizeof value);
  std::memcpy(bytes.data() + at, &value, sizeof value);  // the tests' machine is little-endian, as ELF here
}
inline void append(image& to, const void* from, size_t size) {
  const auto* first = static_cast<const std::byte*>(from);
  to.insert(to.end(), first, first + size);
}

/// A descriptor as clang 22 makes it for a kernel of one dimension with 16 bytes of arguments.
struct descriptor_fields {
  uint32_t lds = 0, scratch = 0, kernarg = 16;
  int64_t entry_offset = 0;                  ///< filled by code_object where it is 0
  uint32_t rsrc3 = 0;                        ///< accumulation registers from 4
  uint32_t rsrc1 = 0x00AF0000;               ///< 8 VGPRs, denormals kept, DX10_CLAMP, IEEE_MODE
  uint32_t rsrc2 = 0x84;                     ///< 2 user SGPRs, workgroup id x
  uint16_t properties = 8, preload = 0;      ///< kernarg segment pointer

  image bytes() const {
    image d(64);
    put(d, 0, lds);
    put(d, 4, scratch);
    put(d, 8, kernarg);
    put(d, 16, entry_offset);
    put(d, 44, rsrc3);
    put(d, 48, rsrc1);
    put(d, 52, rsrc2);
    put(d, 56, properties);
    put(d, 58, preload);
    return d;
  }
};

constexpr uint32_t kEndProgram = 0xBF810000, kNop = 0xBF800000;
constexpr uint32_t branch(int dwords) { return 0xBF820000u | (static_cast<uint32_t>(dwords) & 0xFFFFu); }

struct test_kernel {
  std::string name = "k";
  std::vector<uint32_t> code = {kNop, kEndProgram};
  descriptor_fields descriptor;
  // Damage.
  uint16_t descriptor_section = 2, code_section = 3;
  uint64_t descriptor_size = 64, code_size = 0;      ///< 0: that of the code
  uint64_t move_descriptor = 0, move_code = 0;       ///< added to the symbols' addresses
  bool without_code_symbol = false;
};

/// Sections: 1 .note, 2 .rodata, 3 .text, 4 .dynsym, 5 .dynstr, 6 .shstrtab, 7 .rela.dyn. Addresses are file offsets.
struct code_object {
  std::vector<test_kernel> kernels = {test_kernel{}};
  image metadata;               ///< msgpack; empty: no note
  uint32_t note_type = 32;
  bool relocation = false;

  image build() const {
    image file(64);
    const auto align = [&](size_t to) { file.resize((file.size() + to - 1) / to * to); };
    struct section {
      std::string name;
      uint32_t type = 0;
      uint64_t offset = 0, size = 0;
      uint32_t link = 0;
      uint64_t entry_size = 0;
    };
    std::vector<section> sections = {{"", 0, 0, 0, 0, 0}};
    const auto begin = [&](std::string name, uint32_t type, size_t alignment) {
      align(alignment);
      sections.push_back({std::move(name), type, file.size(), 0, 0, 0});
    };
    const auto end = [&] { sections.back().size = file.size() - sections.back().offset; };

    begin(".note", 7, 4);
    if (!metadata.empty()) {
      for (const uint32_t word : {7u, static_cast<uint32_t>(metadata.size()), note_type}) append(file, &word, 4);
      append(file, "AMDGPU\0", 8);
      append(file, metadata.data(), metadata.size());
      align(4);
    }
    end();
    begin(".rodata", 1, 64);
    const size_t rodata = file.size();
    file.resize(rodata + 64 * kernels.size());
    end();
    begin(".text", 1, 256);
    std::vector<size_t> entries;
    for (size_t n = 0; n < kernels.size(); ++n) {
      align(256);
      entries.push_back(file.size());
      append(file, kernels[n].code.data(), 4 * kernels[n].code.size());
      descriptor_fields d = kernels[n].descriptor;
      if (d.entry_offset == 0) d.entry_offset = static_cast<int64_t>(entries[n]) - static_cast<int64_t>(rodata + 64 * n);
      const image bytes = d.bytes();
      std::memcpy(file.data() + rodata + 64 * n, bytes.data(), bytes.size());
    }
    end();

    std::string names(1, '\0');
    image symbols(24);
    const auto symbol = [&](const std::string& name, uint8_t type, uint16_t where, uint64_t address, uint64_t size) {
      const size_t at = symbols.size();
      put(symbols, at, static_cast<uint32_t>(names.size()));
      put(symbols, at + 4, static_cast<uint8_t>(0x10 | type));
      put(symbols, at + 6, where);
      put(symbols, at + 8, address);
      put(symbols, at + 16, size);
      names += name + '\0';
    };
    for (size_t n = 0; n < kernels.size(); ++n) {
      const test_kernel& k = kernels[n];
      const uint64_t size = k.code_size == 0 ? 4 * k.code.size() : k.code_size;
      if (!k.without_code_symbol) symbol(k.name, 2, k.code_section, entries[n] + k.move_code, size);
      symbol(k.name + ".kd", 1, k.descriptor_section, rodata + 64 * n + k.move_descriptor, k.descriptor_size);
    }
    begin(".dynsym", 11, 8);
    sections.back().link = 5;
    sections.back().entry_size = 24;
    append(file, symbols.data(), symbols.size());
    end();
    begin(".dynstr", 3, 1);
    append(file, names.data(), names.size());
    end();
    const size_t count = relocation ? 8 : 7;
    const std::string section_names[] = {"", ".note", ".rodata", ".text", ".dynsym", ".dynstr", ".shstrtab", ".rela.dyn"};
    begin(".shstrtab", 3, 1);
    std::vector<uint32_t> name_at;
    for (size_t n = 0; n < count; ++n) {
      name_at.push_back(static_cast<uint32_t>(file.size() - sections.back().offset));
      append(file, section_names[n].c_str(), section_names[n].size() + 1);
    }
    end();
    if (relocation) {
      begin(".rela.dyn", 4, 8);
      file.resize(file.size() + 24);
      end();
    }
    align(8);
    const uint64_t table = file.size();
    for (size_t n = 0; n < sections.size(); ++n) {
      const size_t at = table + 64 * n;
      put(file, at + 63, uint8_t{0});
      put(file, at, name_at[n]);
      put(file, at + 4, sections[n].type);
      put(file, at + 16, sections[n].type == 0 ? 0 : sections[n].offset);
      put(file, at + 24, sections[n].offset);
      put(file, at + 32, sections[n].size);
      put(file, at + 40, sections[n].link);
      put(file, at + 56, sections[n].entry_size);
    }
    constexpr uint8_t kIdent[] = {0x7F, 'E', 'L', 'F', 2, 1, 1, 64, 4};
    std::memcpy(file.data(), kIdent, sizeof kIdent);
    put(file, 16, uint16_t{3});
    put(file, 18, uint16_t{224});
    put(file, 40, table);
    put(file, 48, uint32_t{0x54F});
    put(file, 58, uint16_t{64});
    put(file, 60, static_cast<uint16_t>(sections.size()));
    put(file, 62, uint16_t{6});
    return file;
  }
};

}  // namespace adahop::hip::sim::test
