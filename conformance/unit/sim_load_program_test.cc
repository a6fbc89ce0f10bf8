// Code objects made into programs: kernels, branches, listings, and hostile images. LLVM decodes here.
#include <string>

#include "catch.h"
#include "sim/listing.h"
#include "sim/opcode.h"
#include "sim/program.h"
#include "sim_load_support.h"

namespace adahop::hip::sim {
namespace {

using namespace test;

void refused(const code_object& made, adahop_status code, const std::string& because) {
  const auto p = load_program("made.co", made.build());
  INFO(because);
  REQUIRE_FALSE(p.ok());
  INFO(p.why().message());
  CHECK(p.why().code() == code);
  CHECK(p.why().message().starts_with("made.co: "));
  CHECK(p.why().message().find(because) != std::string::npos);
  CHECK(p.why().message().find('\n') == std::string::npos);
}

code_object of(std::vector<uint32_t> code) {
  code_object made;
  made.kernels[0].code = std::move(code);
  return made;
}

constexpr uint32_t kMoveLiteral = 0x7E0002FF;  // v_mov_b32_e32 v0, <next dword>

TEST_CASE("program: kernels, indices and targets") {
  code_object made = of({branch(1), kNop, kMoveLiteral, 0x12345678, branch(-5), kEndProgram});
  test_kernel second;
  second.name = "second";
  second.descriptor.lds = 512;
  made.kernels.push_back(second);
  auto loaded = load_program("two.co", made.build());
  INFO(loaded.why().message());
  REQUIRE(loaded.ok());
  const program p = std::move(loaded).value();
  CHECK(p.name == "two.co");
  CHECK(p.image == made.build());
  REQUIRE(p.code.size() == 7);
  for (uint32_t n = 0; n < p.code.size(); ++n) CHECK(p.code[n].index == n);
  CHECK(p.code[0].text == "s_branch 1");
  CHECK(p.code[0].target == 2);
  CHECK(p.code[2].text == "v_mov_b32_e32 v0, 0x12345678");
  CHECK(p.code[2].bytes == 8);
  CHECK(p.code[3].address == p.code[2].address + 8);
  CHECK(p.code[3].target == 0);

  REQUIRE(p.kernels.size() == 2);
  const sim_kernel* k = p.find("k");
  const sim_kernel* other = p.find("second");
  REQUIRE(k != nullptr);
  REQUIRE(other != nullptr);
  CHECK(p.find("third") == nullptr);
  CHECK(k->entry == 0);
  CHECK(k->end == 5);
  CHECK(k->max_threads == 0);
  CHECK(other->entry == 5);
  CHECK(other->end == 7);
  CHECK(other->descriptor.lds_bytes == 512);
  CHECK(p.kernel_of(0) == k);
  CHECK(p.kernel_of(4) == k);
  CHECK(p.kernel_of(5) == other);
  CHECK(p.kernel_of(6) == other);
  CHECK(p.kernel_of(7) == nullptr);

  const std::string text = kernel_listing(p, *k);
  CHECK(text.starts_with("k of two.co: 5 instructions, "));
  CHECK(text.substr(text.find('\n') + 1) ==
        "block 0:\n     100  s_branch 1  -> 108\nblock 1:\n     104  s_nop 0\nblock 2:\n     108  v_mov_b32_e32 v0, 0x12345678\n"
        "     110  s_branch 65531  -> 100\nblock 3:\n     114  s_endpgm\n");
  CHECK(kernel_listing(p, *other).ends_with("block 0:\n     200  s_nop 0\n     204  s_endpgm\n"));
}

TEST_CASE("program: a workgroup's size from the metadata") {
  code_object made;
  const std::string text =
      std::string("\x81\xAE") + "amdhsa.kernels\x91\x82\xA5.name\xA1k\xB8.max_flat_workgroup_size\x40";
  append(made.metadata, text.data(), text.size());
  const auto p = load_program("sized.co", made.build());
  REQUIRE(p.ok());
  CHECK(p->kernels[0].max_threads == 64);
  made.metadata.pop_back();
  refused(made, ADAHOP_BAD_FILE, "metadata is cut off");
}

TEST_CASE("program: code that cannot be run") {
  refused(of({0xFFFFFFFF, kEndProgram}), ADAHOP_UNSUPPORTED, "kernel k: 0x100: no instruction of gfx950");
  refused(of({kEndProgram, kMoveLiteral}), ADAHOP_UNSUPPORTED, "kernel k: 0x104: no instruction of gfx950");  // cut off
  refused(of({0xBE801C00, kEndProgram}), ADAHOP_UNSUPPORTED, "kernel k: instruction at 0x100, 's_getpc_b64 s[0:1]'");
  refused(of({branch(-2), kEndProgram}), ADAHOP_BAD_FILE, "kernel k: 0x100, 's_branch 65534': its target 0xfc is no instruction");
  refused(of({branch(1), kEndProgram}), ADAHOP_BAD_FILE, "its target 0x108 is no instruction");
  refused(of({branch(1), kMoveLiteral, kEndProgram, kEndProgram}), ADAHOP_BAD_FILE, "its target 0x108 is no instruction");
  refused(of({branch(0x7FFF), kEndProgram}), ADAHOP_BAD_FILE, "is no instruction");
  refused(of({kEndProgram, kNop}), ADAHOP_BAD_FILE, "kernel k: 0x104, 's_nop 0': the kernel's last instruction does not end it");
}

TEST_CASE("program: kernels that are not where they should be") {
  const auto damaged = [](auto change) {
    code_object made;
    change(made.kernels[0]);
    return made;
  };
  code_object none;
  none.kernels.clear();
  refused(none, ADAHOP_BAD_FILE, "no kernel");
  refused(damaged([](auto& k) { k.descriptor_section = 3; }), ADAHOP_BAD_FILE, "k.kd lies outside .rodata");
  refused(damaged([](auto& k) { k.descriptor_section = 99; }), ADAHOP_BAD_FILE, "k.kd lies outside .rodata");
  refused(damaged([](auto& k) { k.move_descriptor = 1; }), ADAHOP_BAD_FILE, "k.kd reaches outside .rodata");
  refused(damaged([](auto& k) { k.move_descriptor = UINT64_MAX / 2; }), ADAHOP_BAD_FILE, "k.kd reaches outside .rodata");
  refused(damaged([](auto& k) { k.descriptor_size = 32; }), ADAHOP_BAD_FILE, "32 bytes, 64 expected");
  refused(damaged([](auto& k) { k.descriptor_size = UINT64_MAX; }), ADAHOP_BAD_FILE, "k.kd reaches outside .rodata");
  refused(damaged([](auto& k) { k.without_code_symbol = true; }), ADAHOP_BAD_FILE, "kernel k has a descriptor and no code");
  refused(damaged([](auto& k) { k.code_section = 2; }), ADAHOP_BAD_FILE, "k lies outside .text");
  refused(damaged([](auto& k) { k.code_size = 12; }), ADAHOP_BAD_FILE, "k reaches outside .text");
  refused(damaged([](auto& k) { k.code_size = 6; }), ADAHOP_BAD_FILE, "6 bytes of code");
  refused(damaged([](auto& k) { k.code = {}; }), ADAHOP_BAD_FILE, "0 bytes of code");
  refused(damaged([](auto& k) { k.move_code = 4; k.code_size = 4; }), ADAHOP_BAD_FILE, "4 bytes of code at 0x104");
  refused(damaged([](auto& k) { k.descriptor.entry_offset = 8; }), ADAHOP_BAD_FILE, "entry is not 0x100");
  refused(damaged([](auto& k) { k.descriptor.scratch = 8; }), ADAHOP_BAD_FILE, "kernel k: its descriptor needs 8 bytes of scratch");

  code_object twice;
  twice.kernels.push_back(twice.kernels[0]);
  refused(twice, ADAHOP_BAD_FILE, "symbol k stands twice");
  code_object overlapping;
  overlapping.kernels[0].code.assign(70, kEndProgram);
  overlapping.kernels.push_back(test_kernel{});
  overlapping.kernels[1].name = "in_it";
  overlapping.kernels[1].move_code = static_cast<uint64_t>(-256);  // the second would start at 0x300
  overlapping.kernels[1].descriptor.entry_offset = 0x200 - 0x80;
  refused(overlapping, ADAHOP_BAD_FILE, "kernels k and in_it overlap");
}

// Loads or is refused with one line; a read outside is ASan's to report.
void survives(const image& file) {
  const auto p = load_program("hostile.co", file);
  if (p.ok()) {
    CHECK_FALSE(p->kernels.empty());
    return;
  }
  CHECK((p.why().code() == ADAHOP_BAD_FILE || p.why().code() == ADAHOP_UNSUPPORTED));
  CHECK_FALSE(p.why().message().empty());
  for (const char c : p.why().message()) CHECK((c >= ' ' && c <= '~'));
}

image hostile_base() {
  code_object made = of({kMoveLiteral, 0x12345678, branch(-3), kEndProgram});
  made.kernels.push_back(test_kernel{});
  made.kernels[1].name = "other";
  const std::string text =
      std::string("\x81\xAE") + "amdhsa.kernels\x91\x82\xA5.name\xA1k\xB8.max_flat_workgroup_size\x40";
  append(made.metadata, text.data(), text.size());
  return made.build();
}

TEST_CASE("program: every truncation of a code object is refused") {
  const image file = hostile_base();
  REQUIRE(load_program("sound.co", file).ok());
  for (size_t size = 0; size < file.size(); ++size) {
    const image cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
    INFO(size);
    const auto p = load_program("cut.co", cut);
    REQUIRE_FALSE(p.ok());
    CHECK(p.why().code() == ADAHOP_BAD_FILE);
  }
}

TEST_CASE("program: every flipped bit of a code object") {
  image file = hostile_base();
  for (size_t bit = 0; bit < 8 * file.size(); ++bit) {
    const std::byte flip{static_cast<unsigned char>(1u << (bit % 8))};
    file[bit / 8] ^= flip;
    INFO(bit);
    survives(file);
    file[bit / 8] ^= flip;
  }
}

TEST_CASE("program: every byte of a code object at its extremes") {
  image file = hostile_base();
  for (size_t at = 0; at < file.size(); ++at) {
    const std::byte old = file[at];
    for (const std::byte extreme : {std::byte{0}, std::byte{0x7F}, std::byte{0x80}, std::byte{0xFF}}) {
      file[at] = extreme;
      INFO(at);
      survives(file);
    }
    file[at] = old;
  }
}

}  // namespace
}  // namespace adahop::hip::sim
