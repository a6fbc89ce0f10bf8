// Vector moves, exchanges and selects on hand-made vectors.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kWide = 0x123456789ABCDEF0u;

TEST_CASE("vector moves", "[sim]") {
  check_rows({
      {"v_mov_b32", "v0, v1", {{{0x12345678}, 0x12345678}, {{0}, 0}}},
      {"v_mov_b32", "v0, -1", {{{}, 0xFFFFFFFF}}},
      {"v_mov_b32", "v0, 0.5", {{{}, 0x3F000000}}},
      {"v_mov_b32", "v0, s5", {{{77}, 77}}},
      {"v_mov_b32", "v0, vcc_hi", {{{78}, 78}}},
      {"v_mov_b64", "v[0:1], v[2:3]", {{{kWide}, kWide}, {{~kWide}, ~kWide}}},
      {"v_mov_b64", "v[0:1], s[2:3]", {{{kWide}, kWide}}},
      {"v_mov_b64", "v[0:1], -3", {{{}, 0xFFFFFFFFFFFFFFFD}}},
      {"v_mov_b64", "v[0:1], 0xfffffff0", {{{}, 0xFFFFFFF0}}},
      {"v_mov_b64", "v[0:1], 1.0", {{{}, 0x3FF0000000000000}}},
      {"v_accvgpr_read_b32", "v0, a1", {{{9}, 9}, {{0x80000000}, 0x80000000}}},
      {"v_accvgpr_write_b32", "a0, v1", {{{9}, 9}}},
      {"v_accvgpr_write_b32", "a0, 1.0", {{{}, 0x3F800000}}},
      {"v_accvgpr_mov_b32", "a3, a1", {{{9}, 9}}},
  });
}

TEST_CASE("v_pk_mov_b32: op_sel picks a register of each source", "[sim]") {
  constexpr uint64_t kA = 0x1111111122222222u, kB = 0x3333333344444444u;
  check_rows({
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5]", {{{kA, kB}, 0x4444444422222222}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5] op_sel:[1,0]", {{{kA, kB}, 0x4444444411111111}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], v[4:5] op_sel:[0,1]", {{{kA, kB}, 0x3333333322222222}}},
      {"v_pk_mov_b32", "v[0:1], v[2:3], s[4:5] op_sel:[1,1]", {{{kA, kB}, 0x3333333311111111}}},
      {"v_pk_mov_b32", "v[0:1], 1.0, v[4:5] op_sel:[0,1]", {{{kB}, 0x333333333F800000}}},
  });
  sim_test_wave w;
  w.set_vector64(2, [](unsigned lane) { return kA + lane; });
  w.run("v_pk_mov_b32 v[2:3], v[2:3], v[2:3] op_sel:[1,0]");  // both sources are read before the first write
  w.expect_lanes64(2, [](unsigned lane) { return uint64_t{0x22222222u + lane} << 32 | 0x11111111u; });
  CHECK_FALSE(w.fault_of("v_pk_mov_b32 v[0:1], 1.0, v[4:5] op_sel:[1,1]").empty());
}

TEST_CASE("v_swap_b32 exchanges the lanes that are on", "[sim]") {
  sim_test_wave w;
  w.set_vector(1, [](unsigned lane) { return 100 + lane; });
  w.set_vector(2, [](unsigned lane) { return 200 + lane; });
  w.set_exec(0xFFFFFFFF00000001u);
  w.state().vgpr_defined[1] = 0x3;
  w.state().vgpr_defined[2] = 0xC;
  w.run("v_swap_b32 v1, v2");
  w.expect_lanes(1, [](unsigned lane) { return 200 + lane; });
  w.expect_lanes(2, [](unsigned lane) { return 100 + lane; });
  CHECK(w.state().vgpr_defined[1] == 0x2);  // lane 0 had no value in v2
  CHECK(w.state().vgpr_defined[2] == 0xD);
}

TEST_CASE("v_cndmask_b32: mask set takes the second source", "[sim]") {
  check_rows({
      {"v_cndmask_b32", "v0, v1, v2, vcc", {{{10, 20, 0}, 10}, {{10, 20, 1}, 20}}},
      {"v_cndmask_b32", "v0, v1, v2, s[6:7]", {{{10, 20, 0}, 10}, {{10, 20, 1}, 20}}},
      {"v_cndmask_b32", "v0, 0, 1, s[6:7]", {{{0}, 0}, {{1}, 1}}},
      {"v_cndmask_b32", "v0, 0, -1, vcc", {{{0}, 0}, {{1}, 0xFFFFFFFF}}},
      {"v_cndmask_b32", "v0, -v1, v2, vcc", {{{0x3F800000, 5, 0}, 0xBF800000}, {{0x3F800000, 5, 1}, 5}}},
      {"v_cndmask_b32", "v0, v1, -|v2|, vcc", {{{7, 0x3F800000, 1}, 0xBF800000}, {{7, 0xBF800000, 1}, 0xBF800000}, {{7, 1, 0}, 7}}},
      {"v_cndmask_b32", "v0, |v1|, v2, vcc", {{{0xFFC00001, 7, 0}, 0x7FC00001}}},
      {"v_cndmask_b32_sdwa", "v0, v1, v2, vcc dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1",
       {{{0x11112222, 0x33334444, 0}, 0x11112222}, {{0x11112222, 0x33334444, 1}, 0x3333}}},
  });
  CHECK(sim_test_wave().fault_of("v_cndmask_b32_e64 v0, v1, v2, vcc clamp") == "not modelled");
}

}  // namespace
}  // namespace adahop::hip::sim::test
