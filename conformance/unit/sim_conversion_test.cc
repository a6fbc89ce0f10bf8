// Conversions between integers, FP16, BF16, FP32 and FP64 in the simulator, on hand-made vectors.
#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim::test;

TEST_CASE("simulator: integers to floats round to nearest even") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_f32_i32", "v0, v2",
       {{{0}, kF0}, {{1}, kF1}, {{0xFFFFFFFF}, kFm1}, {{0x80000000}, 0xCF000000}, {{0x7FFFFFFF}, 0x4F000000},
        {{0x01000001}, 0x4B800000},     // 2^24 + 1: even
        {{0x01000003}, 0x4B800002}}},
      {"v_cvt_f32_u32", "v0, v2",
       {{{0}, kF0}, {{0xFFFFFFFF}, 0x4F800000}, {{0x80000000}, 0x4F000000}, {{0xFFFFFF7F}, 0x4F7FFFFF},
        {{0xFFFFFF80}, 0x4F800000},
        {{0x01000001}, 0x4B800000}, {{0x80000180}, 0x4F000002}}},
      {"v_cvt_f32_ubyte0", "v0, v2", {{{0xFFFFFF03}, kF3}, {{0x01FF}, 0x437F0000}}},
      {"v_cvt_f32_ubyte1", "v0, v2", {{{0xFFFF03FF}, kF3}, {{0x00FF0000}, kF0}}},
      {"v_cvt_f32_ubyte2", "v0, v2", {{{0xFF03FFFF}, kF3}}},
      {"v_cvt_f32_ubyte3", "v0, v2", {{{0x03FFFFFF}, kF3}, {{0xFF000000}, 0x437F0000}}},
      {"v_cvt_f64_i32", "v[0:1], v2", {{{1}, kD1}, {{0xFFFFFFFF}, kDm1}, {{0x80000000}, 0xC1E0000000000000}}},
      {"v_cvt_f64_u32", "v[0:1], v2", {{{0xFFFFFFFF}, 0x41EFFFFFFFE00000}, {{0}, kD0}, {{3}, kD3}}},
      {"v_cvt_f64_u32", "v[0:1], s6", {{{2}, kD2}}},
      {"v_cvt_f16_i16", "v0, v2",
       {{{0xFFFF}, kHm1}, {{0xABCD0001}, kH1}, {{0x8000}, 0xF800}, {{2049}, 0x6800}, {{2051}, 0x6802}}},
      {"v_cvt_f16_u16", "v0, v2", {{{3}, kH3}, {{0xFFFF}, kHInf}, {{0xFFEF}, kHMax}, {{0xFFF0}, kHInf}, {{0}, 0}}},
  });
}

TEST_CASE("simulator: floats to integers truncate and saturate, NaN is 0") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_i32_f32", "v0, v2",
       {{{kF1_5}, 1}, {{0xBFC00000}, 0xFFFFFFFF}, {{kFm0}, 0}, {{kFTiny}, 0}, {{0x4EFFFFFF}, 0x7FFFFF80},
        {{0x4F000000}, 0x7FFFFFFF},
        {{0xCF000000}, 0x80000000}, {{0xCF000001}, 0x80000000}, {{kFInf}, 0x7FFFFFFF}, {{kFmInf}, 0x80000000},
        {{kFQuiet1}, 0},
        {{kFSignal}, 0}}},
      {"v_cvt_u32_f32", "v0, v2",
       {{{kF1_5}, 1}, {{kFm1}, 0}, {{0xBF000000}, 0}, {{0x4F7FFFFF}, 0xFFFFFF00}, {{0x4F800000}, 0xFFFFFFFF},
        {{kFInf}, 0xFFFFFFFF},
        {{kFmInf}, 0}, {{kFQuiet1}, 0}}},
      {"v_cvt_u32_f32", "v0, -v2", {{{0xC0400000}, 3}}},
      {"v_cvt_i32_f64", "v0, v[2:3]",
       {{{0x3FF8000000000000}, 1}, {{0xBFF8000000000000}, 0xFFFFFFFF}, {{0x41DFFFFFFFC00000}, 0x7FFFFFFF},
        {{0x41E0000000000000}, 0x7FFFFFFF},
        {{0x41DFFFFFFFFFFFFF}, 0x7FFFFFFF}, {{kDmInf}, 0x80000000}, {{kDQuiet1}, 0}}},
      {"v_cvt_u32_f64", "v0, v[2:3]",
       {{{0x41EFFFFFFFFFFFFF}, 0xFFFFFFFF}, {{0x41EFFFFFFFE00000}, 0xFFFFFFFF}, {{kDm1}, 0}, {{kDInf}, 0xFFFFFFFF},
        {{kD3}, 3}}},
      {"v_cvt_i16_f16", "v0, v2",
       {{{0x3E00}, 1}, {{0xBE00}, 0xFFFF}, {{kHMax}, 0x7FFF}, {{kHmInf}, 0x8000}, {{kHQuiet1}, 0}}},
      {"v_cvt_u16_f16", "v0, v2", {{{0x3E00}, 1}, {{kHm1}, 0}, {{kHMax}, 65504}, {{kHInf}, 0xFFFF}, {{kHSignal}, 0}}},
      {"v_cvt_flr_i32_f32", "v0, v2",
       {{{kF1_5}, 1}, {{0xBFC00000}, 0xFFFFFFFE}, {{0x80000001}, 0xFFFFFFFF}, {{kFInf}, 0x7FFFFFFF}, {{kFQuiet1}, 0}}},
      {"v_cvt_rpi_i32_f32", "v0, v2",
       {{{kF1_5}, 2}, {{0xBFC00000}, 0xFFFFFFFF}, {{kFHalf}, 1}, {{0xBF000000}, 0}, {{0x3E800000}, 0}}},
  });
}

TEST_CASE("simulator: floats to floats") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_f64_f32", "v[0:1], v2",
       {{{kF3}, kD3}, {{kFTiny}, 0x36A0000000000000}, {{kFmInf}, kDmInf}, {{kFm0}, kDm0}, {{kFQuiet1}, 0x7FF8000020000000},
        {{kFSignal}, 0xFFF8000020000000}}},
      {"v_cvt_f64_f32", "v[0:1], -|v2|", {{{kF1}, kDm1}}},
      {"v_cvt_f32_f64", "v0, v[2:3]",
       {{{kD3}, kF3},
        {{0x3FF0000010000000}, kF1},                   // 1 + 2^-24: even
        {{0x3FF0000010000001}, 0x3F800001},
        {{0x3FF0000030000000}, 0x3F800002},
        {{0x47EFFFFFEFFFFFFF}, kFMax},
        {{0x47EFFFFFF0000000}, kFInf},
        {{0x36A0000000000000}, kFTiny},
        {{0x3690000000000000}, kF0},                   // 2^-150: even
        {{0x3690000000000001}, kFTiny},
        {{0x8000000000000001}, kFm0},
        {{kDQuiet1}, kFNan},                           // the payload's lower bits fall away
        {{0xFFF0000020000000}, kFSignalQuieted}}},
      {"v_cvt_f16_f32", "v0, v2",
       {{{kF3}, kH3}, {{0x3F801000}, kH1}, {{0x3F803000}, kH1 + 2}, {{0x477FE000}, kHMax}, {{0x477FEFFF}, kHMax},
        {{0x477FF000}, kHInf},
        {{0x33800000}, kHTiny}, {{0x33000000}, 0}, {{0x33000001}, kHTiny}, {{kFm0}, kHm0}, {{kFmInf}, kHmInf}}},
      {"v_cvt_f16_f32", "v0, -v2", {{{kF1}, kHm1}}},
      {"v_cvt_f32_f16", "v0, v2",
       {{{0xABCD0000 | kH3}, kF3}, {{kHTiny}, 0x33800000}, {{kHm0}, kFm0}, {{kHInf}, kFInf}, {{kHMax}, 0x477FE000},
        {{kHQuiet1}, 0x7FC02000}}},
      {"v_cvt_f32_bf16", "v0, v2",
       {{{0xABCD3F80}, kF1}, {{0x8001}, 0x80010000}, {{0x7FC0}, kFNan}, {{0xFF81}, 0xFF810000}}},
  });
}

TEST_CASE("simulator: pairs of FP16 in a register") {
  check_rows(std::vector<vector_row>{
      {"v_cvt_pkrtz_f16_f32", "v0, v2, v4",
       {{{kF1, kFm2}, 0xC0003C00},
        {{0x3F801FFF, 0x477FFFFF}, 0x7BFF3C00},        // toward zero; beyond the largest stays finite
        {{0x7F7FFFFF, kFmInf}, 0xFC007BFF},
        {{0x387FFFFF, 0x33FFFFFF}, 0x000103FF},        // subnormal results
        {{0x337FFFFF, 0x80000001}, 0x80000000}}},
      {"v_cvt_pk_f16_f32", "v0, v2, v4", {{{kF1, 0x477FF000}, 0x7C003C00}, {{0x3F803000, kFm0}, 0x80003C02}}},
      {"v_pack_b32_f16", "v0, v2, v4", {{{0x1111AAAA, 0x2222BBBB}, 0xBBBBAAAA}, {{kHSignal, kHm0}, kHm0 << 16 | kHSignal}}},
      {"v_pack_b32_f16", "v0, v2, v4 op_sel:[1,0,0]", {{{0x1111AAAA, 0x2222BBBB}, 0xBBBB1111}}},
      {"v_pack_b32_f16", "v0, v2, v4 op_sel:[0,1,0]", {{{0x1111AAAA, 0x2222BBBB}, 0x2222AAAA}}},
      {"v_pack_b32_f16", "v0, -v2, 1.0", {{{kH2}, 0x3C00C000}}},
  });
}
