// The text of operands: which registers and constants there are, and which texts are none.
#include <string>

#include "catch.h"
#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

struct register_case {
  const char* text;
  operand_kind kind;
  unsigned reg, width;
};
constexpr register_case kRegisters[] = {
    {"v0", operand_kind::vector, 0, 1},         {"v255", operand_kind::vector, 255, 1},
    {"v[4:7]", operand_kind::vector, 4, 4},     {"v[224:255]", operand_kind::vector, 224, 32},
    {"a0", operand_kind::vector, 256, 1},       {"a[252:255]", operand_kind::vector, 508, 4},
    {"s0", operand_kind::scalar, 0, 1},         {"s101", operand_kind::scalar, 101, 1},
    {"s[2:3]", operand_kind::scalar, 2, 2},     {"s[96:99]", operand_kind::scalar, 96, 4},
    {"s[16:31]", operand_kind::scalar, 16, 16}, {"vcc", operand_kind::scalar, 106, 2},
    {"vcc_lo", operand_kind::scalar, 106, 1},   {"vcc_hi", operand_kind::scalar, 107, 1},
    {"exec", operand_kind::scalar, 126, 2},     {"exec_lo", operand_kind::scalar, 126, 1},
    {"exec_hi", operand_kind::scalar, 127, 1},  {"m0", operand_kind::scalar, 124, 1},
    {"off", operand_kind::none, 0, 1},
};

TEST_CASE("operand text: registers") {
  for (const register_case& c : kRegisters) {
    INFO(c.text);
    const auto o = parse_operand(c.text);
    REQUIRE(o.ok());
    CHECK(o.value().kind == c.kind);
    CHECK(o.value().reg == c.reg);
    CHECK(o.value().width == c.width);
    CHECK_FALSE((o.value().negate || o.value().absolute || o.value().sign_extend));
  }
}

TEST_CASE("operand text: constants") {
  struct integer_case {
    const char* text;
    int64_t value;
  };
  for (const auto& [text, value] : {integer_case{"0", 0}, {"64", 64}, {"-16", -16}, {"0xffffffff", 4294967295},
                                    {"0x80000000", 2147483648}, {"-0x10", -16}, {"65520", 65520}}) {
    INFO(text);
    const auto o = parse_operand(text);
    REQUIRE(o.ok());
    CHECK(o.value().kind == operand_kind::constant);
    CHECK_FALSE(o.value().is_real);
    CHECK(o.value().integer == value);
    CHECK_FALSE(o.value().negate);
  }
  struct real_case {
    const char* text;
    double value;
  };
  for (const auto& [text, value] : {real_case{"0.5", 0.5}, {"-0.5", -0.5}, {"1.0", 1}, {"-1.0", -1}, {"2.0", 2}, {"-2.0", -2},
                                    {"4.0", 4}, {"-4.0", -4}, {"0.15915494", 0.15915494309189535},
                                    {"0.15915494309189532", 0.15915494309189535}}) {
    INFO(text);
    const auto o = parse_operand(text);
    REQUIRE(o.ok());
    CHECK(o.value().kind == operand_kind::constant);
    CHECK(o.value().is_real);
    CHECK(o.value().real == value);
    CHECK_FALSE(o.value().negate);
  }
}

struct sign_case {
  const char* text;
  operand_kind kind;
  bool negate, absolute, sign_extend;
};
constexpr sign_case kSigns[] = {
    {"-v1", operand_kind::vector, true, false, false},      {"|v1|", operand_kind::vector, false, true, false},
    {"-|v[2:3]|", operand_kind::vector, true, true, false}, {"-s2", operand_kind::scalar, true, false, false},
    {"abs(s2)", operand_kind::scalar, false, true, false},  {"-abs(v2)", operand_kind::vector, true, true, false},
    {"neg(1.0)", operand_kind::constant, true, false, false}, {"neg(|2.0|)", operand_kind::constant, true, true, false},
    {"|4.0|", operand_kind::constant, false, true, false},  {"-vcc_lo", operand_kind::scalar, true, false, false},
    {"sext(v1)", operand_kind::vector, false, false, true}, {"sext(s1)", operand_kind::scalar, false, false, true},
};

TEST_CASE("operand text: signs and magnitudes") {
  for (const sign_case& c : kSigns) {
    INFO(c.text);
    const auto o = parse_operand(c.text);
    REQUIRE(o.ok());
    CHECK(o.value().kind == c.kind);
    CHECK(o.value().negate == c.negate);
    CHECK(o.value().absolute == c.absolute);
    CHECK(o.value().sign_extend == c.sign_extend);
  }
}

TEST_CASE("operand text: what is no operand of a kernel is refused") {
  for (const char* text :
       {"", "v", "v256", "v-1", "v 1", "v1x", "v[1]", "v[2:1]", "v[2:2]", "v[0:255]", "v[254:256]", "v[1:2]", "a[3:6]", "a256",
        "v[0:1", "v[:1]", "v[0:]", "v[0:1]x", "s102", "s103", "s[1:2]", "s[2:5]", "s[100:103]", "s[0:32]", "flat_scratch",
        "flat_scratch_lo", "xnack_mask", "xnack_mask_hi", "ttmp0", "ttmp[0:1]", "src_shared_base", "src_private_limit", "src_scc",
        "src_vccz", "src_execz", "scc", "vccz", "execz", "tba", "null", "lit(0x1)", "0.1", "3.0", "1.", "1e3", "0x", "-", "--1",
        "0x100000000", "-2147483649", "18446744073709551616", "0xg", "1_0", "-off", "|off|", "||v1||", "sext(-v1)", "neg()",
        "neg(v1", "|v1", "v1|", "sext()", "hwreg(HW_REG_MODE)", "sendmsg(MSG_INTERRUPT)", "p10", "attr0.x", "V1", "VCC"}) {
    INFO(text);
    const auto o = parse_operand(text);
    REQUIRE_FALSE(o.ok());
    CHECK(o.why().code() == ADAHOP_UNSUPPORTED);
    CHECK_FALSE(o.why().message().empty());
    CHECK(o.why().message().find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace adahop::hip::sim
