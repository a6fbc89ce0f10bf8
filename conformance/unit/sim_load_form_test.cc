// Operands against an opcode's form: every letter accepts what it should and nothing else, and the lists of registers read
// and written follow. The opcodes are made up.
#include <array>
#include <string>
#include <vector>

#include "catch.h"
#include "sim/operand_form.h"
#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

// An instruction with the operands given by their texts.
instruction with(const opcode& o, const std::vector<std::string>& operands) {
  instruction i;
  i.op = &o;
  for (const std::string& text : operands) {
    const auto parsed = parse_operand(text);
    INFO(text);
    REQUIRE(parsed.ok());
    i.operands.at(i.operand_count++) = parsed.value();
  }
  return i;
}

opcode op(std::string_view form, uint32_t flags = kPlain) { return {"v_made_up", form, nullptr, flags, certainty::manual}; }

void accept(std::string_view form, const std::vector<std::string>& operands, uint32_t flags = kPlain) {
  const opcode o = op(form, flags);
  instruction i = with(o, operands);
  const status s = bind_form(i);
  INFO(form << ": " << s.message());
  CHECK(s.ok());
}
void refuse(std::string_view form, const std::vector<std::string>& operands, uint32_t flags = kPlain) {
  const opcode o = op(form, flags);
  instruction i = with(o, operands);
  const status s = bind_form(i);
  INFO(form << ": " << s.message());
  REQUIRE_FALSE(s.ok());
  CHECK(s.code() == ADAHOP_UNSUPPORTED);
}

using ranges = std::vector<std::array<unsigned, 3>>;  // vector or scalar, register, width
ranges listed(const register_range* first, unsigned count) {
  ranges r;
  for (unsigned n = 0; n < count; ++n) r.push_back({static_cast<unsigned>(first[n].kind), first[n].reg, first[n].width});
  return r;
}
constexpr auto V = static_cast<unsigned>(operand_kind::vector), S = static_cast<unsigned>(operand_kind::scalar);

TEST_CASE("form: the kinds each letter takes") {
  struct letter_case {
    const char* letter;
    bool vector, scalar, constant, real, off;
  };
  for (const letter_case& c : {letter_case{"D1", true, false, false, false, false}, {"X1", true, false, false, false, false},
                               {"v1", true, false, false, false, false}, {"M1", false, true, false, false, false},
                               {"Y1", false, true, false, false, false}, {"s1", true, true, true, true, false},
                               {"m1", false, true, true, true, false}, {"i", false, false, true, false, false},
                               {"o", false, false, false, false, true}}) {
    INFO(c.letter);
    const auto check = [&](const char* operand, bool fits) { fits ? accept(c.letter, {operand}) : refuse(c.letter, {operand}); };
    check("v3", c.vector);
    check("a3", c.vector);
    check("s3", c.scalar);
    check("vcc_lo", c.scalar);
    check("m0", c.scalar);
    check("7", c.constant);
    check("0x12345678", c.constant);
    check("1.0", c.real);
    check("off", c.off);
  }
}

TEST_CASE("form: widths") {
  for (const char* letter : {"D", "X", "v", "s"}) {
    accept(std::string(letter) + "2", {"v[2:3]"});
    refuse(std::string(letter) + "2", {"v2"});
    refuse(std::string(letter) + "2", {"v[4:7]"});
    accept(std::string(letter) + "16", {"a[0:15]"});
  }
  for (const char* letter : {"M", "Y", "m", "s"}) {
    accept(std::string(letter) + "2", {"s[2:3]"});
    accept(std::string(letter) + "2", {"vcc"});
    accept(std::string(letter) + "2", {"exec"});
    refuse(std::string(letter) + "2", {"s2"});
    refuse(std::string(letter) + "1", {"vcc"});
    refuse(std::string(letter) + "2", {"vcc_lo"});
  }
  accept("s4", {"0"});
}

TEST_CASE("form: the number of operands, and alternatives") {
  refuse("D1 s1", {"v0"});
  refuse("D1 s1", {"v0", "v1", "v2"});
  refuse("D1", {});
  accept("", {});
  const char* atomic = "v2 v1 o|D1 v2 v1 o";
  accept(atomic, {"v[2:3]", "v1", "off"});
  accept(atomic, {"v0", "v[2:3]", "v1", "off"});
  accept(atomic, {"v0", "v2", "v1", "s[0:1]"});
  refuse(atomic, {"v[2:3]", "off"});
}

TEST_CASE("form: addresses of global memory") {
  accept("D4 v2 o", {"v[0:3]", "v[4:5]", "off"});
  accept("D4 v2 o", {"v[0:3]", "v4", "s[4:5]"});
  refuse("D4 v2 o", {"v[0:3]", "v4", "off"});
  refuse("D4 v2 o", {"v[0:3]", "v[4:5]", "s[4:5]"});
  refuse("D4 v2 o", {"v[0:3]", "v4", "s4"});
  refuse("D4 v2 o", {"v[0:3]", "v4", "s[4:7]"});
  refuse("D4 v2 o", {"v[0:3]", "v4", "0"});
  accept("v2 v2 o", {"v4", "v[6:7]", "s[4:5]"});  // only the first is the address
  refuse("v2 v2 o", {"v4", "v6", "s[4:5]"});
}

TEST_CASE("form: widths of f8f6f4 operands") {
  const opcode o = op("A B", kMatrix);
  struct width_case {
    uint8_t cbsz, blgp;
    const char *a, *b;
    bool fits;
  };
  for (const width_case& c : {width_case{0, 0, "v[0:7]", "v[8:15]", true}, {1, 1, "v[0:7]", "v[8:15]", true},
                              {2, 3, "v[0:5]", "v[8:13]", true}, {3, 2, "v[0:5]", "v[8:13]", true},
                              {4, 4, "v[0:3]", "v[8:11]", true}, {4, 0, "v[0:3]", "v[8:15]", true},
                              {0, 4, "v[0:3]", "v[8:11]", false}, {4, 0, "v[0:3]", "v[8:11]", false},
                              {2, 2, "v[0:7]", "v[8:13]", false}, {5, 0, "v[0:7]", "v[8:15]", false},
                              {0, 7, "v[0:7]", "v[8:15]", false}}) {
    instruction i = with(o, {c.a, c.b});
    i.mod.cbsz = c.cbsz;
    i.mod.blgp = c.blgp;
    INFO(int{c.cbsz} << " " << int{c.blgp});
    CHECK(bind_form(i).ok() == c.fits);
  }
}

TEST_CASE("form: signs only where the opcode takes them, and never on what is written") {
  accept("D1 s1 s1", {"v0", "-v1", "|s2|"}, kFloatModifiers);
  refuse("D1 s1 s1", {"v0", "-v1", "v2"});
  refuse("D1 s1 s1", {"v0", "v1", "|v2|"});
  refuse("D1 s1", {"-v0", "v1"}, kFloatModifiers);
  refuse("M1 s1", {"-s0", "v1"}, kFloatModifiers);
  refuse("D1 i", {"v0", "neg(1)"}, kFloatModifiers);
  const opcode o = op("D1 s1 s1", kSdwaDpp);
  instruction i = with(o, {"v0", "sext(v1)", "v2"});
  CHECK_FALSE(bind_form(i).ok());
  i.mod.sdwa.present = true;
  CHECK(bind_form(i).ok());
}

TEST_CASE("form: registers read and written") {
  const opcode o = op("X2 M2 s1 v4 m2 i", kReadsVcc | kReadsExec | kReadsM0 | kWritesExec);
  instruction i = with(o, {"v[2:3]", "s[4:5]", "s6", "a[0:3]", "exec", "5"});
  REQUIRE(bind_form(i).ok());
  CHECK(listed(i.reads.data(), i.read_count) ==
        ranges{{V, 2, 2}, {S, 6, 1}, {V, 256, 4}, {S, 126, 2}, {S, 106, 2}, {S, 126, 2}, {S, 124, 1}});
  CHECK(listed(i.writes.data(), i.write_count) == ranges{{V, 2, 2}, {S, 4, 2}, {S, 126, 2}});

  const opcode keeps = op("D1 Y1 s1 s1", kKeepsRest | kWritesVcc);
  instruction k = with(keeps, {"v7", "s1", "v8", "3"});
  REQUIRE(bind_form(k).ok());
  CHECK(listed(k.reads.data(), k.read_count) == ranges{{S, 1, 1}, {V, 8, 1}});
  CHECK(listed(k.writes.data(), k.write_count) == ranges{{V, 7, 1}, {S, 1, 1}, {S, 106, 2}});
  REQUIRE(bind_form(k).ok());  // again: the lists start anew
  CHECK(k.read_count == 2);
}

}  // namespace
}  // namespace adahop::hip::sim
