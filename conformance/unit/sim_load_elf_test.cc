// ELF images: a sound one is read, every damaged field has its one line.
#include <string>

#include "catch.h"
#include "sim/elf_object.h"
#include "sim_load_support.h"

namespace adahop::hip::sim {
namespace {

using namespace test;

void refused(const image& file, const std::string& because) {
  const auto object = read_elf(file);
  INFO(because);
  REQUIRE_FALSE(object.ok());
  CHECK(object.why().code() == ADAHOP_BAD_FILE);
  INFO(object.why().message());
  CHECK(object.why().message().find(because) != std::string::npos);
  CHECK(object.why().message().find('\n') == std::string::npos);
}

image sound() { return code_object{}.build(); }

template <class T>
image with(size_t at, T value) {
  image file = sound();
  put(file, at, value);
  return file;
}

// Where the header of section n, or a field of it, lies.
size_t header_of(const image& file, unsigned n) {
  uint64_t table = 0;
  std::memcpy(&table, file.data() + 40, sizeof table);
  return table + 64 * n;
}
image with_section_field(unsigned n, size_t field, uint64_t value, size_t bytes) {
  image file = sound();
  std::memcpy(file.data() + header_of(file, n) + field, &value, bytes);
  return file;
}

TEST_CASE("elf: a code object") {
  code_object made;
  made.metadata = {std::byte{0x80}};
  const image file = made.build();
  const auto object = read_elf(file);
  REQUIRE(object.ok());
  REQUIRE(object->sections.size() == 7);
  const elf_section* text = object->find(".text");
  REQUIRE(text != nullptr);
  CHECK(text->bytes.size() == 8);
  CHECK(text->contains(text->address, 8));
  CHECK_FALSE(text->contains(text->address + 4, 8));
  CHECK_FALSE(text->contains(text->address - 1, 1));
  CHECK_FALSE(text->contains(text->address, UINT64_MAX));
  CHECK(object->find(".data") == nullptr);
  REQUIRE(object->symbols.size() == 2);
  CHECK(object->symbols[0].name == "k");
  CHECK(object->symbols[0].type == kSymbolFunction);
  CHECK(object->symbols[0].address == text->address);
  CHECK(object->symbols[1].name == "k.kd");
  CHECK(object->symbols[1].type == kSymbolObject);
  CHECK(object->symbols[1].size == 64);
  CHECK(object->metadata.size() == 1);
  made.note_type = 1;  // another note
  CHECK(read_elf(made.build())->metadata.empty());
}

TEST_CASE("elf: the header") {
  refused({}, "0 bytes");
  refused(image(63), "63 bytes");
  refused(image(64), "byte 0 is not");
  refused(with(0, uint8_t{0x7E}), "byte 0 is not");
  refused(with(4, uint8_t{1}), "byte 4 is not");  // 32 bits
  refused(with(5, uint8_t{2}), "byte 5 is not");  // big-endian
  refused(with(7, uint8_t{0}), "OS ABI 0");
  refused(with(16, uint16_t{1}), "ELF type 1");
  refused(with(18, uint16_t{62}), "machine 62");
  refused(with(48, uint32_t{0x54C}), "processor 0x4c in e_flags, 0x4f (gfx950) expected");  // gfx942
}

TEST_CASE("elf: section headers") {
  const image file = sound();
  refused(with(40, uint64_t{file.size()}), "section headers");
  refused(with(40, UINT64_MAX - 8), "section headers");
  refused(with(58, uint16_t{56}), "section headers");
  refused(with(60, uint16_t{0}), "section headers");
  refused(with(60, uint16_t{0xFFFF}), "section headers");
  refused(with(62, uint16_t{7}), "section headers");
  refused(with(62, uint16_t{3}), "section names are in no string table");
  refused(with_section_field(3, 0, 10000, 4), "section 3 has no name");
  refused(with_section_field(3, 24, file.size(), 8), "section 3: 8 bytes");
  refused(with_section_field(3, 24, UINT64_MAX, 8), "section 3: 8 bytes");
  refused(with_section_field(3, 32, UINT64_MAX, 8), "section 3: 18446744073709551615 bytes");
  refused(with_section_field(3, 16, UINT64_MAX, 8), "section 3: its addresses wrap around");
  image unterminated = file;  // the last byte of .shstrtab
  uint64_t at = 0, size = 0;
  std::memcpy(&at, file.data() + header_of(file, 6) + 24, 8);
  std::memcpy(&size, file.data() + header_of(file, 6) + 32, 8);
  unterminated[at + size - 1] = std::byte{'x'};
  refused(unterminated, "section 6 has no name");
}

TEST_CASE("elf: symbols, notes and relocations") {
  refused(with_section_field(4, 4, 2, 4), "no dynamic symbol table");
  refused(with_section_field(4, 56, 16, 8), "a dynamic symbol table that is not ELF64's");
  refused(with_section_field(4, 32, 50, 8), "a dynamic symbol table that is not ELF64's");
  refused(with_section_field(4, 40, 7, 4), "a dynamic symbol table that is not ELF64's");
  refused(with_section_field(4, 40, 3, 4), "a dynamic symbol table that is not ELF64's");
  refused(with_section_field(5, 32, 1, 8), "symbol 1 has no name");
  code_object named;
  named.kernels[0].name = "a\x1b[31mb";
  refused(named.build(), "symbol 1 has a name that is not printable");
  code_object relocated;
  relocated.relocation = true;
  refused(relocated.build(), "relocations");
  code_object noted;
  noted.metadata = image(8);
  image file = noted.build();
  const size_t note = 64;
  put(file, note + 4, uint32_t{0xFFFFFFFF});
  refused(file, "a note reaches outside");
  file = noted.build();
  put(file, note, uint32_t{0xFFFFFFFF});
  refused(file, "a note reaches outside");
  file = noted.build();
  const uint64_t cut = 30;
  std::memcpy(file.data() + header_of(file, 1) + 32, &cut, 8);
  refused(file, "a note ");
}

TEST_CASE("elf: cut off at any length, one line and no read outside") {
  const image file = sound();
  for (size_t size = 0; size < file.size(); ++size) {
    const image cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));  // its own allocation, for ASan
    const auto object = read_elf(cut);
    INFO(size);
    REQUIRE_FALSE(object.ok());
    CHECK(object.why().code() == ADAHOP_BAD_FILE);
    CHECK(object.why().message().find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace adahop::hip::sim
