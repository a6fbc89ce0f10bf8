// DPP, SDWA and constants, on which every vector opcode relies; the opcode tables as a whole.
#include <array>
#include <set>

#include "sim/lanes.h"
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr int kNone = -1;

// The source lane of each lane of a row of 16, relative to the row; kNone where there is none.
struct row_pattern {
  std::string_view text;
  std::array<int, 16> from;
};
constexpr row_pattern kRowPatterns[] = {
    {"quad_perm:[0,1,2,3]", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}},
    {"quad_perm:[1,0,3,2]", {1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}},
    {"quad_perm:[3,3,0,2]", {3, 3, 0, 2, 7, 7, 4, 6, 11, 11, 8, 10, 15, 15, 12, 14}},
    {"row_shl:1", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, kNone}},
    {"row_shl:15", {15, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone}},
    {"row_shr:1", {kNone, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
    {"row_shr:14", {kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, kNone, 0, 1}},
    {"row_ror:1", {15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
    {"row_ror:8", {8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7}},
    {"row_mirror", {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
    {"row_half_mirror", {7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}},
    {"row_newbcast:0", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {"row_newbcast:9", {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}},
};

std::string moved(std::string_view pattern, std::string_view rest) {
  return "v_mov_b32_dpp v0, v1 " + std::string(pattern) + " " + std::string(rest);
}

// v0 after the move of v1 = 100 + lane onto v0 = 500 + lane, where `from` says each lane's source.
void check_dpp(std::string_view pattern, const std::function<int(unsigned)>& from, uint64_t exec, unsigned rows, unsigned banks) {
  for (const bool bound : {false, true}) {
    const std::string text = moved(pattern, "row_mask:" + std::to_string(rows) + " bank_mask:" + std::to_string(banks) +
                                                (bound ? " bound_ctrl:1" : ""));
    INFO(text);
    sim_test_wave w;
    w.set_vector(1, [](unsigned lane) { return 100 + lane; });
    w.set_vector(0, [](unsigned lane) { return 500 + lane; });
    w.set_exec(exec);
    w.run(text);
    w.expect_lanes(0, [&](unsigned lane) -> uint32_t {
      if ((rows >> lane / 16 & 1u) == 0 || (banks >> lane % 16 / 4 & 1u) == 0) return 500 + lane;
      const int source = from(lane);
      if (source >= 0 && (exec >> source & 1u) != 0) return 100 + static_cast<uint32_t>(source);
      return bound ? 0 : 500 + lane;
    });
  }
}

TEST_CASE("DPP within rows: every pattern, masks, lanes off", "[sim]") {
  for (const row_pattern& p : kRowPatterns) {
    const auto from = [&](unsigned lane) {
      const int in_row = p.from[lane % 16];
      return in_row < 0 ? kNone : static_cast<int>(lane / 16 * 16) + in_row;
    };
    check_dpp(p.text, from, kAllLanes, 15, 15);
    check_dpp(p.text, from, kAllLanes, 5, 15);
    check_dpp(p.text, from, kAllLanes, 15, 3);
    check_dpp(p.text, from, 0x00FF0F0F33335555u, 15, 15);
    check_dpp(p.text, from, 0x00FF0F0F33335555u, 12, 7);
    check_dpp(p.text, from, 0, 15, 15);
  }
}

TEST_CASE("DPP across rows", "[sim]") {
  const auto check_both = [](std::string_view pattern, const std::function<int(unsigned)>& from) {
    check_dpp(pattern, from, kAllLanes, 15, 15);
    check_dpp(pattern, from, 0x7FFFFFFE7FFF8001u, 15, 15);
    check_dpp(pattern, from, kAllLanes, 10, 15);
  };
  check_both("row_bcast:15", [](unsigned lane) { return lane < 16 ? kNone : lane < 32 ? 15 : lane < 48 ? 31 : 47; });
  check_both("row_bcast:31", [](unsigned lane) { return lane < 32 ? kNone : 31; });
  check_both("wave_shl:1", [](unsigned lane) { return lane == 63 ? kNone : static_cast<int>(lane) + 1; });
  check_both("wave_shr:1", [](unsigned lane) { return static_cast<int>(lane) - 1; });
  check_both("wave_rol:1", [](unsigned lane) { return lane == 63 ? 0 : static_cast<int>(lane) + 1; });
  check_both("wave_ror:1", [](unsigned lane) { return lane == 0 ? 63 : static_cast<int>(lane) - 1; });
}

TEST_CASE("DPP moves the first source of an operation alone", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, [](unsigned lane) { return 100 * lane; });
  w.set_vector(2, [](unsigned lane) { return lane; });
  w.run("v_add_u32_dpp v0, v1, v2 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
  w.expect_lanes(0, [](unsigned lane) { return 100 * (lane ^ 1u) + lane; });
  w.run("v_add_u32_dpp v0, v1, v1 row_ror:8 row_mask:0xf bank_mask:0xf");
  w.expect_lanes(0, [](unsigned lane) { return 100 * (lane ^ 8u) + 100 * lane; });
  w.run("v_sub_u32_dpp v1, v1, v1 row_mirror row_mask:0xf bank_mask:0xf");  // the destination is a source
  w.expect_lanes(1, [](unsigned lane) { return 100 * (lane ^ 15u) - 100 * lane; });
  w.set_vector(1, [](unsigned lane) { return lane; });
  w.run("v_cndmask_b32_dpp v0, v1, v2, vcc quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf");
  w.expect_lanes(0, [](unsigned lane) { return lane ^ 3u; });
}

TEST_CASE("SDWA sources: byte, word, with and without sign", "[sim]") {
  struct select_case {
    std::string_view select;
    uint32_t zero, sign;
  };
  // Of 0x91A2F37F.
  for (const select_case& c : {select_case{"BYTE_0", 0x7F, 0x7F}, {"BYTE_1", 0xF3, 0xFFFFFFF3}, {"BYTE_2", 0xA2, 0xFFFFFFA2},
                               {"BYTE_3", 0x91, 0xFFFFFF91}, {"WORD_0", 0xF37F, 0xFFFFF37F}, {"WORD_1", 0x91A2, 0xFFFF91A2},
                               {"DWORD", 0x91A2F37F, 0x91A2F37F}}) {
    INFO(c.select);
    sim_test_wave w;
    w.set_vector(1, 0x91A2F37Fu);
    w.set_vector(2, 0x10000u);
    const std::string rest = " dst_sel:DWORD dst_unused:UNUSED_PAD ";
    const std::string select(c.select);
    w.run("v_mov_b32_sdwa v0, v1" + rest + "src0_sel:" + select);
    w.expect_lanes(0, [&](unsigned) { return c.zero; });
    w.run("v_mov_b32_sdwa v0, sext(v1)" + rest + "src0_sel:" + select);
    w.expect_lanes(0, [&](unsigned) { return c.sign; });
    w.run("v_add_u32_sdwa v0, v2, v1" + rest + "src0_sel:DWORD src1_sel:" + select);
    w.expect_lanes(0, [&](unsigned) { return 0x10000u + c.zero; });
    w.run("v_add_u32_sdwa v0, v2, sext(v1)" + rest + "src0_sel:WORD_1 src1_sel:" + select);
    w.expect_lanes(0, [&](unsigned) { return 1u + c.sign; });
  }
}

TEST_CASE("SDWA destinations: part and what lies beside it", "[sim]") {
  struct place_case {
    std::string_view select, unused;
    uint32_t result;
  };
  // 0x......81 or 0x....F281 onto 0x11223344.
  for (const place_case& c : {place_case{"BYTE_0", "UNUSED_PAD", 0x00000081}, {"BYTE_0", "UNUSED_SEXT", 0xFFFFFF81},
                              {"BYTE_0", "UNUSED_PRESERVE", 0x11223381}, {"BYTE_1", "UNUSED_PAD", 0x00008100},
                              {"BYTE_1", "UNUSED_SEXT", 0xFFFF8100}, {"BYTE_1", "UNUSED_PRESERVE", 0x11228144},
                              {"BYTE_2", "UNUSED_PAD", 0x00810000}, {"BYTE_2", "UNUSED_SEXT", 0xFF810000},
                              {"BYTE_2", "UNUSED_PRESERVE", 0x11813344}, {"BYTE_3", "UNUSED_PAD", 0x81000000},
                              {"BYTE_3", "UNUSED_SEXT", 0x81000000}, {"BYTE_3", "UNUSED_PRESERVE", 0x81223344},
                              {"WORD_0", "UNUSED_PAD", 0x0000F281}, {"WORD_0", "UNUSED_SEXT", 0xFFFFF281},
                              {"WORD_0", "UNUSED_PRESERVE", 0x1122F281}, {"WORD_1", "UNUSED_PAD", 0xF2810000},
                              {"WORD_1", "UNUSED_SEXT", 0xF2810000}, {"WORD_1", "UNUSED_PRESERVE", 0xF2813344},
                              {"DWORD", "UNUSED_PRESERVE", 0x5604F281}}) {
    const std::string text = "v_add_u32_sdwa v0, v1, v2 dst_sel:" + std::string(c.select) + " dst_unused:" + std::string(c.unused) +
                             " src0_sel:DWORD src1_sel:DWORD";
    INFO(text);
    sim_test_wave w;
    w.set_vector(0, 0x11223344u);
    w.set_vector(1, 0x5604F280u);
    w.set_vector(2, 1u);
    w.set_exec(0xF0F0F0F0F0F0F0F0u);
    w.run(text);
    w.expect_lanes(0, [&](unsigned) { return c.result; });
  }
}

TEST_CASE("a carry with SDWA", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, 0xFF000001u);
  w.set_vector(2, 0xFFFFFF00u);
  w.set_exec(0xFF);
  w.run("v_add_co_u32_sdwa v0, vcc, v1, v2 dst_sel:DWORD dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:DWORD");
  w.expect_lanes(0, [](unsigned) { return 0xFFFFFFFFu; });
  CHECK(w.state().vcc() == 0);
  w.run("v_addc_co_u32_sdwa v0, vcc, v1, v2, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD");
  w.expect_lanes(0, [](unsigned) { return 0xFEFFFF01u; });
  CHECK(w.state().vcc() == 0xFF);
}

TEST_CASE("no mnemonic stands twice in the opcode tables", "[sim]") {
  std::set<std::string_view> seen;
  for (const opcode* op : all_opcodes()) {
    INFO(op->mnemonic);
    CHECK(seen.insert(op->mnemonic).second);
    CHECK(find_opcode(op->mnemonic) == op);
  }
}

TEST_CASE("constants of 32-bit, 64-bit and FP64 operations", "[sim]") {
  const auto integer = [](int64_t v) {
    operand o;
    o.kind = operand_kind::constant;
    o.integer = v;
    return o;
  };
  const auto real = [](double v) {
    operand o;
    o.kind = operand_kind::constant;
    o.is_real = true;
    o.real = v;
    return o;
  };
  CHECK(constant_u32(integer(-16)) == 0xFFFFFFF0u);
  CHECK(constant_u32(integer(0xFFFFFFFF)) == 0xFFFFFFFFu);
  CHECK(constant_u32(real(-4.0)) == 0xC0800000u);
  CHECK(constant_u32(real(0.15915494)) == 0x3E22F983u);
  CHECK(constant_u64(integer(-16)) == 0xFFFFFFFFFFFFFFF0u);
  CHECK(constant_u64(integer(64)) == 64u);
  CHECK(constant_u64(integer(0xFFFFFFF0)) == 0xFFFFFFF0u);
  CHECK(constant_u64(real(2.0)) == 0x4000000000000000u);
  CHECK(constant_f64(integer(-16)) == 0xFFFFFFFFFFFFFFF0u);
  CHECK(constant_f64(integer(64)) == 64u);
  CHECK(constant_f64(integer(0x3FF00000)) == 0x3FF0000000000000u);
  CHECK(constant_f64(real(0.15915494309189532)) == 0x3FC45F306DC9C882u);
}

}  // namespace
}  // namespace adahop::hip::sim::test
