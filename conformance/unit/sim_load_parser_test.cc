// Whole instructions from text: suffixes, operands, modifiers, branches, and what a refusal says.
#include <string>

#include "catch.h"
#include "sim/opcode.h"
#include "sim/operand_parser.h"

namespace adahop::hip::sim {
namespace {

instruction parsed(const char* text) {
  auto i = parse_instruction(text, 0x1800, 8);
  INFO(text << (i.ok() ? "" : ": " + i.why().message()));
  REQUIRE(i.ok());
  return i.value();
}

TEST_CASE("parser: an instruction with everything filled in") {
  const instruction i = parsed("  v_add_u32_e32 v0, s1, v2 ");
  CHECK(i.text == "v_add_u32_e32 v0, s1, v2");
  CHECK(i.address == 0x1800);
  CHECK(i.bytes == 8);
  REQUIRE(i.op != nullptr);
  CHECK(i.op->mnemonic == "v_add_u32");
  CHECK(i.run == i.op->run);
  REQUIRE(i.operand_count == 3);
  CHECK(i.operands[1].kind == operand_kind::scalar);
  CHECK(i.read_count == 2);
  CHECK(i.write_count == 1);
}

TEST_CASE("parser: encodings are suffixes of one opcode") {
  for (const char* text : {"v_add_u32 v0, v1, v2", "v_add_u32_e32 v0, v1, v2", "v_add_u32_e64 v0, v1, v2",
                           "v_add_u32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf",
                           "v_add_u32_sdwa v0, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
                           "v_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD"}) {
    INFO(text);
    CHECK(parsed(text).op->mnemonic == "v_add_u32");
  }
  CHECK(parsed("v_add_u32_dpp v0, v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf").mod.dpp.amount == 1);
  CHECK(parsed("v_add_u32_sdwa v0, v1, v2 src0_sel:BYTE_0").mod.sdwa.src0 == sdwa_select::byte_0);
}

TEST_CASE("parser: vcc_lo is a scalar register, and so is a source of a vector instruction") {
  const instruction i = parsed("v_and_b32_e32 v4, vcc_lo, v5");
  CHECK(i.operands[1].kind == operand_kind::scalar);
  CHECK(i.operands[1].reg == kVccLow);
}

TEST_CASE("parser: distances of branches are signed") {
  CHECK(parsed("s_branch 3").operands[0].integer == 3);
  CHECK(parsed("s_cbranch_vccnz 32767").operands[0].integer == 32767);
  CHECK(parsed("s_cbranch_execz 65520").operands[0].integer == -16);
  CHECK(parsed("s_cbranch_scc1 32768").operands[0].integer == -32768);
}

TEST_CASE("parser: waits") {
  const instruction i = parsed("s_waitcnt vmcnt(3) lgkmcnt(0)");
  CHECK(i.operand_count == 0);
  CHECK(i.mod.wait_vm == 3);
  CHECK(i.mod.wait_lgkm == 0);
  CHECK(i.mod.wait_exp == kNoWait);
}

TEST_CASE("parser: what it does not know is refused with address and text") {
  for (const char* text :
       {"", "v_no_such_instruction v0", "v_add_u32", "v_add_u32_e96 v0, v1, v2", "v_add_u32_e64_dpp v0, v1, v2 row_shr:1",
        "v_add_u32 v0, v1", "v_add_u32 v0, v1, v2, v3", "v_add_u32 v0, v1, v2,", "v_add_u32 v0,, v1, v2", "v_add_u32 v0 v1 v2",
        "v_add_u32 ,v0, v1, v2", "v_add_u32 v0, v1, v2 off", "v_add_u32 v0, v1, v2 clamp2", "v_add_u32 v0, -v1, v2",
        "v_add_u32 v0, |v1|, v2", "v_add_u32 v0, sext(v1), v2", "v_add_u32 v0, v1, v2 mul:2", "v_add_u32 s0, v1, v2",
        "v_add_u32 v[0:1], v1, v2", "v_add_u32 v0, src_shared_base, v2", "v_add_u32 v0, ttmp1, v2",
        "v_add_u32_dpp v0, v1, v2", "v_add_u32_e32 v0, v1, v2 row_shr:1", "v_add_u32_sdwa v0, v1, v2 row_shr:1",
        "v_add_u32 v0, v1, v2, v3, v4, v5, v6, v7, v8, v9", "v_add3_u32_sdwa v0, v1, v2, v3 src0_sel:BYTE_0",
        "v_add3_u32_dpp v0, v1, v2, v3 row_shr:1", "s_branch", "s_branch 65536", "s_branch s0", "s_branch 1.0", "s_branch -32769",
        "s_waitcnt 0", "s_waitcnt vmcnt(0), lgkmcnt(0)", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 0xf0",
        "s_sendmsg sendmsg(MSG_INTERRUPT)", "flat_load_dword v0, v[0:1]", "scratch_load_dword v0, off, s0", "<unknown>"}) {
    const auto i = parse_instruction(text, 0x1848, 4);
    INFO(text);
    REQUIRE_FALSE(i.ok());
    CHECK(i.why().code() == ADAHOP_UNSUPPORTED);
    CHECK(i.why().message().starts_with("instruction at 0x1848, '" + std::string(text) + "': "));
    CHECK(i.why().message().find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace adahop::hip::sim
