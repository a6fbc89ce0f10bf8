// Vector logic, shifts, bit fields, bit counts and bytes on hand-made vectors.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

constexpr uint64_t kAll = 0xFFFFFFFFu;

TEST_CASE("vector logic", "[sim]") {
  check_rows({
      {"v_not_b32", "v0, v1", {{{0xFFFF}, 0xFFFF0000}, {{0}, kAll}}},
      {"v_and_b32", "v0, v1, v2", {{{0xF0F0, 0xFF00}, 0xF000}}},
      {"v_or_b32", "v0, v1, v2", {{{0xF0F0, 0xFF00}, 0xFFF0}}},
      {"v_xor_b32", "v0, v1, v2", {{{0xF0F0, 0xFF00}, 0x0FF0}}},
      {"v_xnor_b32", "v0, v1, v2", {{{0xF0F0, 0xFF00}, 0xFFFFF00F}}},
      {"v_and_or_b32", "v0, v1, v2, v3", {{{0xF0F0, 0xFF00, 0x000F}, 0xF00F}}},
      {"v_or3_b32", "v0, v1, v2, v3", {{{0x1, 0x20, 0x300}, 0x321}}},
      {"v_lshl_or_b32", "v0, v1, v2, v3", {{{3, 4, 1}, 0x31}, {{1, 33, 1}, 3}}},
      {"v_bfi_b32", "v0, v1, v2, v3", {{{0x00FF00FF, 0x12345678, 0x9ABCDEF0}, 0x9A34DE78}}},
  });
}

// Bit t of the table where the bits of the sources are a = 0xF0, b = 0xCC, c = 0xAA: the result is the table itself.
TEST_CASE("v_bitop3_b32: the table read by the bits of its sources", "[sim]") {
  for (const unsigned table : {0x00u, 0x01u, 0x02u, 0x04u, 0x08u, 0x10u, 0x20u, 0x40u, 0x80u, 0x6Cu, 0x96u, 0xE8u, 0xFFu}) {
    const std::string operands = "v0, v1, v2, v3" + (table == 0 ? std::string() : " bitop3:" + std::to_string(table));
    check_row(vector_row{"v_bitop3_b32", operands, {{{0xF0F0F0F0, 0xCCCCCCCC, 0xAAAAAAAA}, table * 0x01010101u}}});
  }
  // 0x6c is b ^ (a & c).
  check_row(vector_row{"v_bitop3_b32", "v0, v1, v2, s3 bitop3:0x6c", {{{0xFF00FF00, 0x0F0F0F0F, 0x12345678}, 0x1D0F590F}}});
}

TEST_CASE("vector shifts: the count comes first and its low bits count", "[sim]") {
  constexpr uint64_t kTop = uint64_t{1} << 63;
  check_rows({
      {"v_lshlrev_b32", "v0, v1, v2", {{{4, 0x12345678}, 0x23456780}, {{32, 7}, 7}, {{31, 3}, 0x80000000}}},
      {"v_lshrrev_b32", "v0, v1, v2", {{{4, 0x82345678}, 0x08234567}, {{33, 7}, 3}, {{31, 0x80000000}, 1}}},
      {"v_ashrrev_i32", "v0, v1, v2", {{{4, 0x82345678}, 0xF8234567}, {{31, 0x80000000}, kAll}, {{33, 7}, 3}}},
      {"v_lshlrev_b64", "v[0:1], v2, v[4:5]", {{{40, 3}, uint64_t{3} << 40}, {{64, 3}, 3}, {{63, 1}, kTop}}},
      {"v_lshrrev_b64", "v[0:1], v2, v[4:5]", {{{40, uint64_t{3} << 40}, 3}, {{65, 6}, 3}, {{63, kTop}, 1}}},
      {"v_ashrrev_i64", "v[0:1], v2, v[4:5]", {{{63, kTop}, ~uint64_t{0}}, {{40, uint64_t{3} << 40}, 3}, {{65, 6}, 3}}},
      {"v_lshlrev_b64", "v[0:1], 1, v[4:5]", {{{0x80000000}, 0x100000000}}},
  });
}

TEST_CASE("vector bit fields", "[sim]") {
  check_rows({
      {"v_bfe_u32", "v0, v1, v2, v3", {{{0x12345678, 4, 8}, 0x67}, {{kAll, 0, 0}, 0}, {{kAll, 0, 32}, 0}, {{0x80000000, 31, 5}, 1}, {{0x10, 36, 1}, 1}}},
      {"v_bfe_i32", "v0, v1, v2, v3", {{{0xF80, 4, 8}, 0xFFFFFFF8}, {{0x780, 4, 8}, 0x78}, {{kAll, 0, 0}, 0}, {{1, 0, 1}, kAll}, {{0x80000000, 28, 8}, 0xFFFFFFF8}}},
      {"v_bfm_b32", "v0, v1, v2", {{{4, 8}, 0xF00}, {{0, 8}, 0}, {{32, 8}, 0}, {{31, 1}, 0xFFFFFFFE}, {{36, 40}, 0xF00}}},
      {"v_bfrev_b32", "v0, v1", {{{1}, 0x80000000}, {{0x12345678}, 0x1E6A2C48}, {{0xF0000000}, 0xF}}},
      {"v_bcnt_u32_b32", "v0, v1, v2", {{{kAll, 1}, 33}, {{0x80000001, 0}, 2}, {{0, kAll}, kAll}}},
      {"v_ffbh_u32", "v0, v1", {{{0}, kAll}, {{1}, 31}, {{0x80000000}, 0}, {{0x00010000}, 15}}},
      {"v_ffbl_b32", "v0, v1", {{{0}, kAll}, {{1}, 0}, {{0x80000000}, 31}, {{0x00010000}, 16}}},
      {"v_ffbh_i32", "v0, v1", {{{0}, kAll}, {{kAll}, kAll}, {{1}, 31}, {{0xFFFFFFFE}, 31}, {{0x80000000}, 1}, {{0x40000000}, 1}}},
  });
}

TEST_CASE("vector bytes: alignment and permutation", "[sim]") {
  constexpr uint64_t kA = 0x11223344, kB = 0x55667788;
  check_rows({
      {"v_alignbit_b32", "v0, v1, v2, v3", {{{kA, kB, 0}, kB}, {{kA, kB, 4}, 0x45566778}, {{kA, kB, 36}, 0x45566778}, {{1, 0, 31}, 2}}},
      {"v_alignbyte_b32", "v0, v1, v2, v3", {{{kA, kB, 0}, kB}, {{kA, kB, 1}, 0x44556677}, {{kA, kB, 7}, 0x22334455}}},
      // Bytes 0-3 are those of the second source, 4-7 those of the first.
      {"v_perm_b32", "v0, v1, v2, v3", {{{kA, kB, 0x07040300}, 0x11445588}, {{kA, kB, 0x0C0D00FF}, 0x00FF88FF}}},
      // Signs of bytes 1, 3, 5, 7.
      {"v_perm_b32", "v0, v1, v2, v3", {{{0x80000080, 0x00008000, 0x0B0A0908}, 0xFF0000FF}, {{0x00008000, 0x80000000, 0x0B0A0908}, 0x00FFFF00}}},
  });
}

TEST_CASE("sums of absolute differences, mean of bytes", "[sim]") {
  check_rows({
      {"v_sad_u8", "v0, v1, v2, v3", {{{0x01FF0010, 0xFF010020, 100}, 100 + 254 + 254 + 0 + 16}, {{0, kAll, kAll}, 1019}}},
      {"v_sad_hi_u8", "v0, v1, v2, v3", {{{0x01000010, 0x03000020, 5}, (18u << 16) + 5}}},
      {"v_msad_u8", "v0, v1, v2, v3", {{{0x01FF0010, 0xFF000020, 100}, 100 + 254 + 16}}},
      {"v_sad_u16", "v0, v1, v2, v3", {{{0x0001FFFF, 0x00030000, 7}, 7 + 2 + 65535}}},
      {"v_sad_u32", "v0, v1, v2, v3", {{{5, 9, 1}, 5}, {{9, 5, 1}, 5}, {{0, kAll, 1}, 0}}},
      {"v_lerp_u8", "v0, v1, v2, v3", {{{0xFF010203, 0xFF020304, 0x00010001}, 0xFF020204}, {{0xFF000000, 0xFE000001, 0}, 0xFE000000}}},
  });
}

}  // namespace
}  // namespace adahop::hip::sim::test
