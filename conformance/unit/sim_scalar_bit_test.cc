// Scalar logic, shifts, bit fields, bit counts and EXEC operations on hand-made vectors: result and SCC.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};

TEST_CASE("scalar logic", "[sim]") {
  check_scalar_rows({
      {"s_and_b32", "s0, s1, s2", {{{0xF0F0, 0xFF00}, 0xF000, true}, {{0xF0, 0x0F}, 0, false, true}}},
      {"s_and_b64", "s[0:1], s[2:3], s[4:5]", {{{kAll, uint64_t{1} << 63}, uint64_t{1} << 63, true}, {{1, 2}, 0, false, true}}},
      {"s_or_b32", "s0, s1, s2", {{{0xF0, 0x0F}, 0xFF, true}, {{0, 0}, 0, false, true}}},
      {"s_or_b64", "s[0:1], s[2:3], s[4:5]", {{{1, uint64_t{1} << 40}, uint64_t{1} << 40 | 1, true}, {{0, 0}, 0, false, true}}},
      {"s_xor_b32", "s0, s1, s2", {{{0xFF, 0x0F}, 0xF0, true}, {{7, 7}, 0, false, true}}},
      {"s_xor_b64", "s[0:1], s[2:3], s[4:5]", {{{kAll, 1}, kAll - 1, true}, {{kAll, kAll}, 0, false, true}}},
      {"s_andn2_b32", "s0, s1, s2", {{{0xFF, 0x0F}, 0xF0, true}, {{0x0F, 0xFF}, 0, false, true}}},
      {"s_andn2_b64", "s[0:1], s[2:3], s[4:5]", {{{kAll, kAll >> 1}, uint64_t{1} << 63, true}, {{1, kAll}, 0, false, true}}},
      {"s_orn2_b32", "s0, s1, s2", {{{1, 0xFFFFFFF0}, 0xF, true}, {{0, 0xFFFFFFFF}, 0, false, true}}},
      {"s_orn2_b64", "s[0:1], s[2:3], s[4:5]", {{{1, ~uint64_t{6}}, 7, true}, {{0, kAll}, 0, false, true}}},
      {"s_nand_b32", "s0, s1, s2", {{{0xFF, 0x0F}, 0xFFFFFFF0, true}, {{0xFFFFFFFF, 0xFFFFFFFF}, 0, false, true}}},
      {"s_nand_b64", "s[0:1], s[2:3], s[4:5]", {{{kAll, 1}, kAll - 1, true}, {{kAll, kAll}, 0, false, true}}},
      {"s_nor_b32", "s0, s1, s2", {{{0xFFFF0000, 0xFF00}, 0xFF, true}, {{0xFFFFFFFF, 0}, 0, false, true}}},
      {"s_nor_b64", "s[0:1], s[2:3], s[4:5]", {{{1, 2}, ~uint64_t{3}, true}, {{kAll, 0}, 0, false, true}}},
      {"s_xnor_b32", "s0, s1, s2", {{{5, 5}, 0xFFFFFFFF, true}, {{5, 0xFFFFFFFA}, 0, false, true}}},
      {"s_xnor_b64", "s[0:1], s[2:3], s[4:5]", {{{5, 4}, ~uint64_t{1}, true}, {{0, kAll}, 0, false, true}}},
      {"s_not_b32", "s0, s1", {{{0xFFFF}, 0xFFFF0000, true}, {{0xFFFFFFFF}, 0, false, true}}},
      {"s_not_b64", "s[0:1], s[2:3]", {{{1}, ~uint64_t{1}, true}, {{kAll}, 0, false, true}}},
  });
}

TEST_CASE("scalar shifts take the low bits of the count", "[sim]") {
  check_scalar_rows({
      {"s_lshl_b32", "s0, s1, s2", {{{1, 31}, 0x80000000, true}, {{1, 33}, 2, true}, {{0x80000000, 1}, 0, false, true}}},
      {"s_lshl_b64", "s[0:1], s[2:3], s4", {{{1, 63}, uint64_t{1} << 63, true}, {{1, 65}, 2, true}, {{uint64_t{1} << 63, 1}, 0, false, true}}},
      {"s_lshr_b32", "s0, s1, s2", {{{0x80000000, 31}, 1, true}, {{4, 33}, 2, true}, {{1, 1}, 0, false, true}}},
      {"s_lshr_b64", "s[0:1], s[2:3], s4", {{{kAll, 60}, 15, true}, {{4, 65}, 2, true}, {{1, 1}, 0, false, true}}},
      {"s_ashr_i32", "s0, s1, s2", {{{0x80000000, 31}, 0xFFFFFFFF, true}, {{0x40000000, 30}, 1, true}, {{1, 1}, 0, false, true}}},
      {"s_ashr_i64", "s[0:1], s[2:3], s4", {{{uint64_t{1} << 63, 63}, kAll, true}, {{uint64_t{1} << 62, 62}, 1, true}, {{1, 1}, 0, false, true}}},
  });
}

TEST_CASE("scalar bit fields: offset, width, sign", "[sim]") {
  check_scalar_rows({
      {"s_bfm_b32", "s0, s1, s2", {{{4, 8}, 0xF00}, {{0, 8}, 0}, {{31, 1}, 0xFFFFFFFE}, {{36, 40}, 0xF00}}},
      {"s_bfm_b64", "s[0:1], s2, s3", {{{4, 40}, uint64_t{0xF} << 40}, {{63, 0}, kAll >> 1}, {{64, 3}, 0}}},
      // Field 4 + 8: offset 4, width 8.
      {"s_bfe_u32", "s0, s1, s2",
       {{{0x12345678, 0x80004}, 0x67, true}, {{0xFF, 0x00000}, 0, false, true}, {{0xFFFFFFFF, 0x200000}, 0xFFFFFFFF, true},
        {{0xF0000000, 0x10001C}, 0xF, true}}},
      {"s_bfe_u64", "s[0:1], s[2:3], s4",
       {{{0x123456789ABCDEF0, 0x100020}, 0x5678, true}, {{kAll, 0x400000}, kAll, true}, {{0xFF, 0x80008}, 0, false, true}}},
      {"s_bfe_i32", "s0, s1, s2",
       {{{0x12345678, 0x80004}, 0x67, true}, {{0xF80, 0x80004}, 0xFFFFFFF8, true}, {{0xFF, 0x0}, 0, false, true},
        {{0x80000000, 0x200000}, 0x80000000, true}, {{0x80000000, 0x10001C}, 0xFFFFFFF8, true}}},
      {"s_bfe_i64", "s[0:1], s[2:3], s4", {{{uint64_t{0x80} << 32, 0x80020}, 0xFFFFFFFFFFFFFF80, true}, {{1, 0x10000}, kAll, true}, {{2, 0x10000}, 0, false, true}}},
      {"s_sext_i32_i8", "s0, s1", {{{0x17F}, 0x7F, true, true}, {{0x80}, 0xFFFFFF80}}},
      {"s_sext_i32_i16", "s0, s1", {{{0x17FFF}, 0x7FFF, true, true}, {{0x8000}, 0xFFFF8000}}},
      {"s_bitset0_b32", "s0, s1", {{{4}, 0xEF, true, true, 0xFF}, {{36}, 0xEF, false, false, 0xFF}}},
      {"s_bitset0_b64", "s[0:1], s2", {{{40}, ~(uint64_t{1} << 40), false, false, kAll}, {{100}, ~(uint64_t{1} << 36), false, false, kAll}}},
      {"s_bitset1_b32", "s0, s1", {{{4}, 0x10, true, true, 0}, {{36}, 0x11, false, false, 1}}},
      {"s_bitset1_b64", "s[0:1], s2", {{{40}, uint64_t{1} << 40, false, false, 0}}},
      {"s_pack_ll_b32_b16", "s0, s1, s2", {{{0x11112222, 0x33334444}, 0x44442222, true, true}}},
      {"s_pack_lh_b32_b16", "s0, s1, s2", {{{0x11112222, 0x33334444}, 0x33332222}}},
      {"s_pack_hh_b32_b16", "s0, s1, s2", {{{0x11112222, 0x33334444}, 0x33331111}}},
  });
}

TEST_CASE("scalar bit counts and searches", "[sim]") {
  constexpr uint32_t kNone = 0xFFFFFFFF;
  check_scalar_rows({
      {"s_brev_b32", "s0, s1", {{{1}, 0x80000000, true, true}, {{0x12345678}, 0x1E6A2C48}}},
      {"s_brev_b64", "s[0:1], s[2:3]", {{{1}, uint64_t{1} << 63}, {{0x12345678}, uint64_t{0x1E6A2C48} << 32}}},
      {"s_bcnt0_i32_b32", "s0, s1", {{{0}, 32, true}, {{0xFFFFFFFF}, 0, false, true}, {{0xFF}, 24, true}}},
      {"s_bcnt0_i32_b64", "s0, s[2:3]", {{{0}, 64, true}, {{kAll}, 0, false, true}, {{0xFF}, 56, true}}},
      {"s_bcnt1_i32_b32", "s0, s1", {{{0}, 0, false, true}, {{0xFFFFFFFF}, 32, true}, {{0x80000001}, 2, true}}},
      {"s_bcnt1_i32_b64", "s0, s[2:3]", {{{0}, 0, false, true}, {{kAll}, 64, true}, {{uint64_t{1} << 63 | 1}, 2, true}}},
      {"s_ff0_i32_b32", "s0, s1", {{{0}, 0, true, true}, {{0xFF}, 8}, {{0xFFFFFFFF}, kNone}}},
      {"s_ff0_i32_b64", "s0, s[2:3]", {{{0xFFFFFFFFFF}, 40}, {{kAll}, kNone}}},
      {"s_ff1_i32_b32", "s0, s1", {{{1}, 0, true, true}, {{0x80000000}, 31}, {{0}, kNone}}},
      {"s_ff1_i32_b64", "s0, s[2:3]", {{{uint64_t{5} << 40}, 40}, {{0}, kNone}}},
      {"s_flbit_i32_b32", "s0, s1", {{{0x80000000}, 0, true, true}, {{1}, 31}, {{0}, kNone}}},
      {"s_flbit_i32_b64", "s0, s[2:3]", {{{1}, 63}, {{uint64_t{1} << 40}, 23}, {{0}, kNone}}},
      {"s_flbit_i32", "s0, s1", {{{0}, kNone, true, true}, {{0xFFFFFFFF}, kNone}, {{1}, 31}, {{0xFFFFFFFE}, 31}, {{0x80000000}, 1}, {{0x40000000}, 1}}},
      {"s_flbit_i32_i64", "s0, s[2:3]", {{{kAll}, kNone}, {{1}, 63}, {{uint64_t{1} << 63}, 1}, {{~uint64_t{0xFF}}, 56}}},
      {"s_quadmask_b32", "s0, s1", {{{0x80000001}, 0x81, true}, {{0}, 0, false, true}, {{0x00F00400}, 0x24, true}}},
      {"s_quadmask_b64", "s[0:1], s[2:3]", {{{uint64_t{1} << 63 | 0x20}, 0x8002, true}, {{0}, 0, false, true}}},
      {"s_wqm_b32", "s0, s1", {{{0x80000001}, 0xF000000F, true}, {{0}, 0, false, true}}},
      {"s_wqm_b64", "s[0:1], s[2:3]", {{{uint64_t{1} << 63 | 0x20}, 0xF0000000000000F0, true}, {{0}, 0, false, true}}},
      {"s_bitreplicate_b64_b32", "s[0:1], s2", {{{0x80000005}, 0xC000000000000033, true, true}}},
  });
}

struct exec_case {
  std::string_view mnemonic;
  uint64_t source, exec, exec_after;
};

TEST_CASE("EXEC saved and changed: destination, EXEC, SCC", "[sim]") {
  constexpr uint64_t kA = 0xFF00FF00FF00FF00u, kB = 0x0FF00FF00FF00FF0u;
  const exec_case cases[] = {
      {"s_and_saveexec_b64", kA, kB, 0x0F000F000F000F00u},   {"s_and_saveexec_b64", kA, ~kA, 0},
      {"s_or_saveexec_b64", kA, kB, 0xFFF0FFF0FFF0FFF0u},    {"s_or_saveexec_b64", 0, 0, 0},
      {"s_xor_saveexec_b64", kA, kB, 0xF0F0F0F0F0F0F0F0u},   {"s_xor_saveexec_b64", kA, kA, 0},
      {"s_andn2_saveexec_b64", kA, kB, 0xF000F000F000F000u}, {"s_andn2_saveexec_b64", kA, kA, 0},
      {"s_orn2_saveexec_b64", kA, kB, 0xFF0FFF0FFF0FFF0Fu},  {"s_orn2_saveexec_b64", 0, kAll, 0},
      {"s_nand_saveexec_b64", kA, kB, 0xF0FFF0FFF0FFF0FFu},  {"s_nand_saveexec_b64", kAll, kAll, 0},
      {"s_nor_saveexec_b64", kA, kB, 0x000F000F000F000Fu},   {"s_nor_saveexec_b64", kA, ~kA, 0},
      {"s_xnor_saveexec_b64", kA, kB, 0x0F0F0F0F0F0F0F0Fu},  {"s_xnor_saveexec_b64", kA, ~kA, 0},
      {"s_andn1_saveexec_b64", kA, kB, 0x00F000F000F000F0u}, {"s_andn1_saveexec_b64", kA, kA, 0},
      {"s_orn1_saveexec_b64", kA, kB, 0x0FFF0FFF0FFF0FFFu},  {"s_orn1_saveexec_b64", kAll, 0, 0},
      {"s_andn1_wrexec_b64", kA, kB, 0x00F000F000F000F0u},   {"s_andn1_wrexec_b64", kA, kA, 0},
      {"s_andn2_wrexec_b64", kA, kB, 0xF000F000F000F000u},   {"s_andn2_wrexec_b64", kA, kA, 0},
  };
  for (const exec_case& c : cases) {
    sim_test_wave w;
    w.set_scalar64(2, c.source);
    w.set_exec(c.exec);
    w.set_scc(c.exec_after == 0);
    w.run(std::string(c.mnemonic) + " s[0:1], s[2:3]");
    INFO(c.mnemonic);
    CHECK(w.state().exec() == c.exec_after);
    CHECK(w.scalar64(0) == (c.mnemonic.ends_with("wrexec_b64") ? c.exec_after : c.exec));
    CHECK(w.scc() == (c.exec_after != 0));
  }
}

TEST_CASE("saveexec reads its source before it writes EXEC or the destination", "[sim]") {
  sim_test_wave w;
  w.set_vcc(0xF0);
  w.set_exec(0x3C);
  w.run("s_and_saveexec_b64 vcc, vcc");
  CHECK(w.state().exec() == 0x30);
  CHECK(w.state().vcc() == 0x3C);
}

TEST_CASE("a literal whose extension is not known is refused in signed 64-bit shifts", "[sim]") {
  CHECK(sim_test_wave().fault_of("s_ashr_i64 s[0:1], 0xffffff00, s2") == "not modelled");
}

}  // namespace
}  // namespace adahop::hip::sim::test
