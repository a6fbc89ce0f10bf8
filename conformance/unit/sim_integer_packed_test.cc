// Packed halves and dot products on hand-made vectors: op_sel, op_sel_hi, clamp, constants.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

TEST_CASE("packed 16-bit operations: each half by itself", "[sim]") {
  check_rows({
      {"v_pk_add_u16", "v0, v1, v2", {{{0x0001FFFF, 0x00020001}, 0x00030000}}},
      {"v_pk_add_u16", "v0, v1, v2 clamp", {{{0x0001FFFF, 0x00020001}, 0x0003FFFF}}},
      {"v_pk_add_i16", "v0, v1, v2", {{{0x7FFF8000, 0x0001FFFF}, 0x80007FFF}}},
      {"v_pk_add_i16", "v0, v1, v2 clamp", {{{0x7FFF8000, 0x0001FFFF}, 0x7FFF8000}}},
      {"v_pk_sub_u16", "v0, v1, v2", {{{0x00050003, 0x00030005}, 0x0002FFFE}}},
      {"v_pk_sub_u16", "v0, v1, v2 clamp", {{{0x00050003, 0x00030005}, 0x00020000}}},
      {"v_pk_sub_i16", "v0, v1, v2", {{{0x80007FFF, 0x0001FFFF}, 0x7FFF8000}}},
      {"v_pk_sub_i16", "v0, v1, v2 clamp", {{{0x80007FFF, 0x0001FFFF}, 0x80007FFF}}},
      {"v_pk_mul_lo_u16", "v0, v1, v2", {{{0x0007FFFF, 0x0006FFFF}, 0x002A0001}}},
      {"v_pk_mad_u16", "v0, v1, v2, v3", {{{0x00020003, 0x00040005, 0x0006FFFF}, 0x000E000E}}},
      {"v_pk_mad_u16", "v0, v1, v2, v3 clamp", {{{0x00020003, 0x00040005, 0x0006FFFF}, 0x000EFFFF}}},
      {"v_pk_mad_i16", "v0, v1, v2, v3", {{{0xFFFF0003, 0x0004FFFB, 0x00010001}, 0xFFFDFFF2}}},
      {"v_pk_mad_i16", "v0, v1, v2, v3 clamp", {{{0x80008000, 0x80007FFF, 0}, 0x7FFF8000}}},
      {"v_pk_lshlrev_b16", "v0, v1, v2", {{{0x00010004, 0x80011234}, 0x00022340}, {{0x0010000F, 0x00070003}, 0x00078000}}},
      {"v_pk_lshrrev_b16", "v0, v1, v2", {{{0x00010004, 0x80011234}, 0x40000123}}},
      {"v_pk_ashrrev_i16", "v0, v1, v2", {{{0x00010004, 0x80019234}, 0xC000F923}}},
      {"v_pk_min_u16", "v0, v1, v2", {{{0xFFFF0001, 0x00010002}, 0x00010001}}},
      {"v_pk_min_i16", "v0, v1, v2", {{{0xFFFF0001, 0x00010002}, 0xFFFF0001}}},
      {"v_pk_max_u16", "v0, v1, v2", {{{0xFFFF0001, 0x00010002}, 0xFFFF0002}}},
      {"v_pk_max_i16", "v0, v1, v2", {{{0xFFFF0001, 0x00010002}, 0x00010002}}},
  });
}

TEST_CASE("packed operations: op_sel names the low result's halves, op_sel_hi the high one's", "[sim]") {
  constexpr uint64_t kA = 0x00300002, kB = 0x05000007;
  check_rows({
      {"v_pk_add_u16", "v0, v1, v2 op_sel:[1,0]", {{{kA, kB}, 0x05300037}}},
      {"v_pk_add_u16", "v0, v1, v2 op_sel:[0,1]", {{{kA, kB}, 0x05300502}}},
      {"v_pk_add_u16", "v0, v1, v2 op_sel_hi:[0,1]", {{{kA, kB}, 0x05020009}}},
      {"v_pk_add_u16", "v0, v1, v2 op_sel:[1,0] op_sel_hi:[0,1]", {{{kA, kB}, 0x05020037}}},
      {"v_pk_mad_u16", "v0, v1, v2, v3 op_sel:[0,0,1] op_sel_hi:[1,0,0]", {{{kA, kB, 0x00010002}, 0x0152000F}}},
      // An inline integer is a 32-bit number: its high half is its sign.
      {"v_pk_add_u16", "v0, v1, 3", {{{kA}, 0x00300005}}},
      {"v_pk_add_u16", "v0, v1, 3 op_sel_hi:[1,0]", {{{kA}, 0x00330005}}},
      {"v_pk_add_u16", "v0, v1, -1", {{{kA}, 0x002F0001}}},
      {"v_pk_lshlrev_b16", "v0, 3, v2 op_sel_hi:[0,1]", {{{0x00010002}, 0x00080010}}},
  });
  CHECK(sim_test_wave().fault_of("v_pk_add_u16 v0, v1, 1.0") == "not modelled");
  CHECK(sim_test_wave().fault_of("v_pk_add_u16 v0, v1, v2 neg_lo:[1,0]") == "not modelled");
}

TEST_CASE("dot products of integers", "[sim]") {
  check_rows({
      {"v_dot2_i32_i16", "v0, v1, v2, v3", {{{0xFFFF0002, 0x00030004, 10}, 15}, {{0x80008000, 0x80008000, 0}, 0x80000000}}},
      {"v_dot2_u32_u16", "v0, v1, v2, v3", {{{0xFFFF0002, 0x00030004, 10}, 0x30007 + 8}}},
      {"v_dot4_i32_i8", "v0, v1, v2, v3", {{{0xFF020380, 0x01020380, 1}, 1 - 1 + 4 + 9 + 16384}}},
      {"v_dot4_u32_u8", "v0, v1, v2, v3", {{{0xFF020380, 0x01020380, 1}, 1 + 255 + 4 + 9 + 16384}}},
      {"v_dot8_i32_i4", "v0, v1, v2, v3", {{{0xF1234568, 0x11111118, 0}, 0xFFFFFFFF + 1 + 2 + 3 + 4 + 5 + 6 + 64}}},
      {"v_dot8_u32_u4", "v0, v1, v2, v3", {{{0xF1234568, 0x11111118, 0}, 15 + 1 + 2 + 3 + 4 + 5 + 6 + 64}}},
      {"v_dot2c_i32_i16", "v0, v1, v2", {{{0xFFFF0002, 0x00030004}, 15, 10}}},
      {"v_dot4c_i32_i8", "v0, v1, v2", {{{0xFF020380, 0x01020380}, 16397, 1}}},
      {"v_dot8c_i32_i4", "v0, v1, v2", {{{0xF1234568, 0x11111118}, 84, 0}}},
  });
  CHECK(sim_test_wave().fault_of("v_dot4_i32_i8 v0, v1, v2, v3 neg_lo:[1,0,0]") == "not modelled");
}

}  // namespace
}  // namespace adahop::hip::sim::test
