// Modifiers: what each one sets, which opcodes take it, and which texts are refused. The opcodes are made up: only their
// names and flags matter here.
#include <string>
#include <vector>

#include "catch.h"
#include "sim/modifier_text.h"

namespace adahop::hip::sim {
namespace {

constexpr opcode op(std::string_view mnemonic, uint32_t flags) { return {mnemonic, "", nullptr, flags, certainty::manual}; }

constexpr opcode kReal = op("v_real", kFloatModifiers), kClamped = op("v_clamped", kClamp), kPacked = op("v_packed", kVop3p),
                 kSelected = op("v_selected", kOpSel), kMatrixOp = op("v_matrix", kMatrix), kTruth = op("v_truth", kBitop),
                 kSwapped = op("v_permlane_swap", kSwap), kAny = op("v_any", kSdwaDpp),
                 kLds = op("ds_read", kOffset | kLgkmCounter), kTwo = op("ds_read2", kOffsets | kLgkmCounter),
                 kSwizzle = op("ds_swizzle_b32", kOffset | kLgkmCounter), kGlobal = op("global_load", kOffset | kVmCounter),
                 kScalar = op("s_load", kOffset | kScalarLoad), kFence = op("buffer_inv", kPlain),
                 kWait = op("s_waitcnt", kPlain), kNothing = op("v_nothing", kPlain);

modifiers read(const char* text, const opcode& o, encoding how = encoding::plain) {
  modifiers mod;
  const status s = parse_modifiers(text, o, how, mod);
  INFO(text << ": " << s.message());
  REQUIRE(s.ok());
  return mod;
}

void refuse(const char* text, const opcode& o, encoding how = encoding::plain) {
  modifiers mod;
  const status s = parse_modifiers(text, o, how, mod);
  INFO(o.mnemonic << " " << text << ": " << s.message());
  REQUIRE_FALSE(s.ok());
  CHECK(s.code() == ADAHOP_UNSUPPORTED);
}

TEST_CASE("modifiers: none") {
  const modifiers m = read("", kNothing);
  CHECK(m.op_sel_hi == 0xF);
  CHECK(m.wait_vm == kNoWait);
  CHECK(m.dpp.pattern == dpp_pattern::none);
  CHECK_FALSE(m.sdwa.present);
}

TEST_CASE("modifiers: of arithmetic") {
  CHECK(read("clamp", kReal).clamp);
  CHECK(read("clamp", kClamped).clamp);
  CHECK(read("mul:2", kReal).output == omod::mul_2);
  CHECK(read("clamp mul:4", kReal).output == omod::mul_4);
  CHECK(read("div:2", kReal).output == omod::div_2);
  CHECK(read("op_sel:[0,0,0,1]", kSelected).op_sel == 0x8);
  CHECK(read("op_sel:[1]", kSelected).op_sel == 0x1);
  const modifiers m = read("op_sel:[0,1] op_sel_hi:[1,0] neg_lo:[1,0] neg_hi:[0,1]", kPacked);
  CHECK(m.op_sel == 2);
  CHECK(m.op_sel_hi == 1);
  CHECK(m.neg_lo == 1);
  CHECK(m.neg_hi == 2);
  CHECK(read("bitop3:0x96", kTruth).bitop3 == 0x96);
  CHECK(read("bitop3:255", kTruth).bitop3 == 255);
  CHECK(read("", op("v_fma_mix_f32", kVop3p)).op_sel_hi == 0);
  CHECK(read("op_sel_hi:[1,1,0]", op("v_fma_mix_f32", kVop3p)).op_sel_hi == 3);
  CHECK(read("bound_ctrl:1 fi:1", kSwapped).fetch_inactive);
  CHECK(read("bound_ctrl:1", kSwapped).dpp.bound_ctrl);

  for (const char* text : {"clamp:1", "mul:3", "mul", "div:4", "mul:2 div:2", "mul:2 mul:4", "clamp clamp", "op_sel:[1]", "CLAMP"})
    refuse(text, kReal);
  for (const char* text : {"op_sel:[2]", "op_sel:[]", "op_sel:[1,0", "op_sel:1", "op_sel:[1 0]", "op_sel:[0,0,0,0,1]",
                           "op_sel_hi:[1,0]", "neg_lo:[1]", "op_sel", "op_sel:"})
    refuse(text, kSelected);
  for (const char* text : {"bitop3:256", "bitop3:-1", "bitop3", "bitop3:0x"}) refuse(text, kTruth);
  for (const char* text : {"fi:0", "fi", "bound_ctrl:2", "quad_perm:[0,1,2,3]"}) refuse(text, kSwapped);
  for (const char* text : {"clamp", "mul:2", "div:2", "op_sel:[1]", "op_sel_hi:[1]", "neg_lo:[1]", "neg_hi:[1]", "bitop3:1",
                           "fi:1", "bound_ctrl:1", "cbsz:1", "abid:1", "blgp:1", "offset:4", "offset0:1", "offset1:1", "sc0",
                           "vmcnt(0)", "glc", "gds", "lds", "dlc", "slc", "swz", "tfe", "unorm", "neg:[1,0,0]", "scale_offset"})
    refuse(text, kNothing);
}

TEST_CASE("modifiers: of matrix instructions") {
  const modifiers m = read("cbsz:4 abid:15 blgp:7", kMatrixOp);
  CHECK(m.cbsz == 4);
  CHECK(m.abid == 15);
  CHECK(m.blgp == 7);
  for (const char* text : {"cbsz:8", "abid:16", "blgp:8", "blgp", "cbsz:x", "neg:[1,0,0]"}) refuse(text, kMatrixOp);
}

TEST_CASE("modifiers: of memory instructions") {
  CHECK(read("offset:65535", kLds).offset == 65535);
  CHECK(read("offset:-4096", kGlobal).offset == -4096);
  CHECK(read("offset:4095 sc0 nt sc1", kGlobal).offset == 4095);
  CHECK(read("offset:0x10 glc", kScalar).offset == 16);
  CHECK(read("offset0:255 offset1:1", kTwo).offset0 == 255);
  CHECK(read("offset1:1", kTwo).offset1 == 1);
  read("sc1", kFence);
  for (const char* text : {"offset:65536", "offset:-1", "offset", "offset:", "offset0:1", "sc0", "gds", "offset:swizzle(SWAP,1)"})
    refuse(text, kLds);
  for (const char* text : {"offset0:256", "offset1:-1", "offset:1", "offset0:1 offset0:1"}) refuse(text, kTwo);
  for (const char* text : {"offset:4096", "offset:-4097", "sc0:1", "sc0 sc0", "lds", "glc", "offset:4  offset:4"})
    refuse(text, kGlobal);
  for (const char* text : {"sc0", "nt", "offset:1048576"}) refuse(text, kScalar);
}

TEST_CASE("modifiers: offsets of ds_swizzle_b32") {
  struct swizzle_case {
    const char* text;
    int offset;
  };
  // As llvm-mc 22 encodes them.
  for (const auto& [text, offset] : {swizzle_case{R"(offset:swizzle(BITMASK_PERM,"01pi0"))", 0x0906},
                                     {"offset:swizzle(QUAD_PERM,0,1,2,3)", 0x80E4},
                                     {"offset:swizzle(SWAP,16)", 0x401F},
                                     {"offset:swizzle(REVERSE,8)", 0x1C1F},
                                     {"offset:swizzle(BROADCAST,8,3)", 0x0078},
                                     {"offset:swizzle(FFT,7)", 0xE007},
                                     {"offset:swizzle(ROTATE,0,5)", 0xC0A0},
                                     {"offset:swizzle(ROTATE,1,31)", 0xC7E0},
                                     {"offset:32768", 0x8000}}) {
    INFO(text);
    CHECK(read(text, kSwizzle).offset == offset);
  }
  for (const char* text :
       {"swizzle()", "swizzle(SWAP)", "swizzle(SWAP,3)", "swizzle(SWAP,32)", "swizzle(REVERSE,1)", "swizzle(REVERSE,6)",
        "swizzle(BROADCAST,8,8)", "swizzle(BROADCAST,3,1)", "swizzle(QUAD_PERM,0,1,2)", "swizzle(QUAD_PERM,0,1,2,4)",
        "swizzle(QUAD_PERM,0,1,2,3,0)", R"(swizzle(BITMASK_PERM,"01pi"))", R"(swizzle(BITMASK_PERM,"01px0"))",
        "swizzle(BITMASK_PERM,01pi0)", "swizzle(FFT,32)", "swizzle(ROTATE,2,1)", "swizzle(ROTATE,0,32)", "swizzle(SWAP,-1)",
        "swizzle(SWAP,1", "swizzle(OTHER,1)", "swizzle(,)"}) {
    INFO(text);
    CHECK_FALSE(parse_swizzle(text).has_value());
  }
}

TEST_CASE("modifiers: wait counts") {
  const modifiers m = read("vmcnt(63) expcnt(7) lgkmcnt(15)", kWait);
  CHECK(m.wait_vm == 63);
  CHECK(m.wait_exp == 7);
  CHECK(m.wait_lgkm == 15);
  const modifiers one = read("lgkmcnt(0)", kWait);
  CHECK(one.wait_vm == kNoWait);
  CHECK(one.wait_lgkm == 0);
  for (const char* text : {"vmcnt(64)", "expcnt(8)", "lgkmcnt(16)", "vmcnt(-1)", "vmcnt()", "vmcnt(", "vmcnt(1", "vmcnt",
                           "vmcnt(0) vmcnt(1)", "vscnt(0)", "depctr_va_vdst(0)", "0"})
    refuse(text, kWait);
}

TEST_CASE("modifiers: DPP") {
  struct pattern_case {
    const char* text;
    dpp_pattern pattern;
    unsigned amount;
  };
  for (const auto& [text, pattern, amount] :
       {pattern_case{"row_shl:1", dpp_pattern::row_shl, 1}, {"row_shr:15", dpp_pattern::row_shr, 15},
        {"row_ror:8", dpp_pattern::row_ror, 8}, {"row_mirror", dpp_pattern::row_mirror, 0},
        {"row_half_mirror", dpp_pattern::row_half_mirror, 0}, {"row_bcast:15", dpp_pattern::row_bcast, 15},
        {"row_bcast:31", dpp_pattern::row_bcast, 31}, {"row_newbcast:0", dpp_pattern::row_newbcast, 0},
        {"wave_shl:1", dpp_pattern::wave_shl, 1}, {"wave_shr:1", dpp_pattern::wave_shr, 1},
        {"wave_rol:1", dpp_pattern::wave_rol, 1}, {"wave_ror:1", dpp_pattern::wave_ror, 1}}) {
    const std::string whole = std::string(text) + " row_mask:0xa bank_mask:0x3 bound_ctrl:1";
    const modifiers m = read(whole.c_str(), kAny, encoding::dpp);
    INFO(whole);
    CHECK(m.dpp.pattern == pattern);
    CHECK(m.dpp.amount == amount);
    CHECK(m.dpp.row_mask == 0xA);
    CHECK(m.dpp.bank_mask == 0x3);
    CHECK(m.dpp.bound_ctrl);
  }
  const modifiers m = read("quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf", kAny, encoding::dpp);
  CHECK(m.dpp.pattern == dpp_pattern::quad_perm);
  CHECK(m.dpp.quad == std::array<uint8_t, 4>{3, 0, 2, 1});
  CHECK_FALSE(m.dpp.bound_ctrl);
  CHECK(read("row_shl:1 bound_ctrl:0", kAny, encoding::dpp).dpp.bound_ctrl);

  for (const char* text : {"", "row_mask:0xf", "row_shl:0", "row_shl:16", "row_shl", "row_mirror:1", "row_bcast:16", "wave_shl:2",
                           "row_newbcast:16", "quad_perm:[0,1,2]", "quad_perm:[0,1,2,4]", "quad_perm:0", "row_shl:1 row_shr:1",
                           "row_mirror row_shl:1", "row_shl:1 row_mask:16", "row_shl:1 bank_mask:-1", "row_shl:1 bound_ctrl:2",
                           "row_shl:1 fi:1", "row_share:1", "row_xmask:1", "dpp8:[0,1,2,3,4,5,6,7]", "row_shl:1 dst_sel:DWORD"})
    refuse(text, kAny, encoding::dpp);
  for (const char* text : {"row_shl:1", "row_mask:0xf", "bank_mask:0xf", "bound_ctrl:1", "row_mirror"}) {
    refuse(text, kAny, encoding::plain);
    refuse(text, kAny, encoding::sdwa);
  }
}

TEST_CASE("modifiers: SDWA") {
  const modifiers m =
      read("dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_1 src1_sel:BYTE_3", kAny, encoding::sdwa);
  CHECK(m.sdwa.present);
  CHECK(m.sdwa.dst == sdwa_select::byte_1);
  CHECK(m.sdwa.unused == sdwa_unused::preserve);
  CHECK(m.sdwa.src0 == sdwa_select::word_1);
  CHECK(m.sdwa.src1 == sdwa_select::byte_3);
  const modifiers pad = read("dst_sel:WORD_0 dst_unused:UNUSED_PAD src0_sel:BYTE_0", kAny, encoding::sdwa);
  CHECK(pad.sdwa.dst == sdwa_select::word_0);
  CHECK(pad.sdwa.unused == sdwa_unused::pad);
  CHECK(pad.sdwa.src0 == sdwa_select::byte_0);
  CHECK(pad.sdwa.src1 == sdwa_select::dword);
  CHECK(read("dst_sel:BYTE_2 dst_unused:UNUSED_SEXT", kAny, encoding::sdwa).sdwa.unused == sdwa_unused::sext);
  CHECK(read("src0_sel:BYTE_0 src1_sel:DWORD", kAny, encoding::sdwa).sdwa.dst == sdwa_select::dword);
  for (const char* text : {"dst_sel:BYTE_4", "dst_sel", "dst_sel:byte_1", "dst_unused:PAD", "src2_sel:BYTE_0",
                           "src0_sel:DWORD src0_sel:DWORD", "row_shl:1"})
    refuse(text, kAny, encoding::sdwa);
  for (const char* text : {"dst_sel:DWORD", "dst_unused:UNUSED_PAD", "src0_sel:DWORD", "src1_sel:DWORD"})
    refuse(text, kAny, encoding::plain);
}

}  // namespace
}  // namespace adahop::hip::sim
