// Modifiers and operand order of opcodes whose other tests do without: each row fails if neg, abs or op_sel were ignored, or
// two sources exchanged.
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: neg and abs of FP64, of division and of packing conversions", "[sim]") {
  check_rows({
      // -2 * |-1| + 3
      {"v_fma_f64", "v[0:1], -v[2:3], |v[4:5]|, v[6:7]",
       {{{0x4000000000000000, 0xBFF0000000000000, 0x4008000000000000}, 0x3FF0000000000000}}},
      // 2^1023 / 0.5: the exponents are 1024 apart, so the denominator alone is scaled, by 2^128.
      {"v_div_scale_f64", "v[0:1], vcc, v[2:3], v[4:5], v[6:7]",
       {{{0x3FE0000000000000, 0x3FE0000000000000, 0x7FE0000000000000}, 0x47E0000000000000},
        {{0x7FE0000000000000, 0x3FE0000000000000, 0x7FE0000000000000}, 0x7FE0000000000000}}},
      // The quotient's sign is that of 3 / -2.
      {"v_div_fixup_f32", "v0, v2, -v4, v6", {{{0x3FC00000, 0x40000000, 0x40400000}, 0xBFC00000}}},
      {"v_div_fixup_f64", "v[0:1], v[2:3], -v[4:5], v[6:7]",
       {{{0x3FF8000000000000, 0x4000000000000000, 0x4008000000000000}, 0xBFF8000000000000}}},
      // -1 and |-2|
      {"v_cvt_pkrtz_f16_f32", "v0, -v2, |v4|", {{{0x3F800000, 0xC0000000}, 0x4000BC00}}},
      {"v_cvt_pk_f16_f32", "v0, -v2, |v4|", {{{0x3F800000, 0xC0000000}, 0x4000BC00}}},
  });
}

TEST_CASE("simulator: op_sel of packed halves", "[sim]") {
  // The low result takes the upper half of the first source and the lower one of the second, the high result the others.
  const char* const crossed = "v0, v2, v4 op_sel:[1,0] op_sel_hi:[0,1]";
  const char* const crossed_negated = "v0, v2, v4 op_sel:[1,0] op_sel_hi:[0,1] neg_lo:[1,0]";
  check_rows({
      // -3 and 1, 2 and 4
      {"v_pk_mul_f16", crossed_negated, {{{0x42004000, 0x44003C00}, 0x4800C200}}},
      {"v_pk_min_f16", crossed_negated, {{{0x42004000, 0x44003C00}, 0x4000C200}}},
      {"v_pk_max_f16", crossed_negated, {{{0x42004000, 0x44003C00}, 0x44003C00}}},
      // 3 and 1, 2 and 4
      {"v_pk_mul_lo_u16", crossed, {{{0x00030002, 0x00040001}, 0x00080003}}},
      {"v_pk_min_u16", crossed, {{{0x00030002, 0x00040001}, 0x00020001}}},
      {"v_pk_max_u16", crossed, {{{0x00030002, 0x00040001}, 0x00040003}}},
      {"v_pk_min_i16", crossed, {{{0x00030002, 0x00040001}, 0x00020001}}},
      {"v_pk_max_i16", crossed, {{{0x00030002, 0x00040001}, 0x00040003}}},
      // by 1 and by 2
      {"v_pk_lshrrev_b16", crossed, {{{0x00010002, 0x01000010}, 0x00400008}}},
      {"v_pk_ashrrev_i16", crossed, {{{0x00010002, 0xFF00FFF0}, 0xFFC0FFF8}}},
  });
}
