// Vector comparisons of integers on hand-made vectors: VCC and scalar pairs, SDWA, EXEC of v_cmpx.
#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

// Whether a relation holds for less, equal, greater.
struct relation {
  bool less, equal, greater;
};
constexpr relation kF{false, false, false}, kLt{true, false, false}, kEq{false, true, false}, kLe{true, true, false},
    kGt{false, false, true}, kNe{true, false, true}, kGe{false, true, true}, kT{true, true, true};

// Pairs of patterns: less, equal, greater in the type's order.
struct ordered_pairs {
  uint64_t low, high, same;
};

// The comparison into VCC and into a scalar pair.
void check(std::string_view mnemonic, relation r, const std::vector<ordered_pairs>& pairs, std::string_view a, std::string_view b) {
  std::vector<lane_case> lanes;
  for (const ordered_pairs& p : pairs) {
    lanes.push_back({{p.low, p.high}, r.less});
    lanes.push_back({{p.same, p.same}, r.equal});
    lanes.push_back({{p.high, p.low}, r.greater});
  }
  for (const std::string_view mask : {"vcc", "s[8:9]"}) {
    const std::string operands = std::string(mask) + ", " + std::string(a) + ", " + std::string(b);
    check_row(vector_row{mnemonic, operands, lanes});
    if (!mnemonic.starts_with("v_cmpx_")) continue;
    sim_test_wave w;
    w.set_exec(0x0F0F0F0F0F0F0F0Fu);
    w.run(std::string(mnemonic) + " " + operands);
    CHECK(w.state().exec() == w.scalar64(mask == "vcc" ? kVccLow : 8u));
    CHECK((w.state().exec() & ~uint64_t{0x0F0F0F0F0F0F0F0Fu}) == 0);
  }
}

// The bits above 16 do not count.
const std::vector<ordered_pairs> kI16 = {{0xAAAAFFFF, 0xBBBB0001, 0xCCCC0005}, {0x8000, 0x7FFF, 0}};
const std::vector<ordered_pairs> kU16 = {{0xBBBB0001, 0xAAAAFFFF, 0xCCCC0005}, {0x7FFF, 0x8000, 0}};
const std::vector<ordered_pairs> kI32 = {{0xFFFFFFFF, 1, 5}, {0x80000000, 0x7FFFFFFF, 0}};
const std::vector<ordered_pairs> kU32 = {{1, 0xFFFFFFFF, 5}, {0x7FFFFFFF, 0x80000000, 0}};
const std::vector<ordered_pairs> kI64 = {{~uint64_t{0}, 1, uint64_t{5} << 32}, {uint64_t{1} << 63, ~uint64_t{0} >> 1, 0}, {0xFFFFFFFF, 0x100000000, 1}};
const std::vector<ordered_pairs> kU64 = {{1, ~uint64_t{0}, uint64_t{5} << 32}, {~uint64_t{0} >> 1, uint64_t{1} << 63, 0}, {0xFFFFFFFF, 0x100000000, 1}};

TEST_CASE("v_cmp_*_i16", "[sim]") {
  check("v_cmp_f_i16", kF, kI16, "v2", "v3");
  check("v_cmp_lt_i16", kLt, kI16, "v2", "v3");
  check("v_cmp_eq_i16", kEq, kI16, "v2", "v3");
  check("v_cmp_le_i16", kLe, kI16, "v2", "v3");
  check("v_cmp_gt_i16", kGt, kI16, "v2", "v3");
  check("v_cmp_ne_i16", kNe, kI16, "v2", "v3");
  check("v_cmp_ge_i16", kGe, kI16, "v2", "v3");
  check("v_cmp_t_i16", kT, kI16, "v2", "v3");
}

TEST_CASE("v_cmp_*_u16", "[sim]") {
  check("v_cmp_f_u16", kF, kU16, "v2", "v3");
  check("v_cmp_lt_u16", kLt, kU16, "v2", "v3");
  check("v_cmp_eq_u16", kEq, kU16, "v2", "v3");
  check("v_cmp_le_u16", kLe, kU16, "v2", "v3");
  check("v_cmp_gt_u16", kGt, kU16, "v2", "v3");
  check("v_cmp_ne_u16", kNe, kU16, "v2", "v3");
  check("v_cmp_ge_u16", kGe, kU16, "v2", "v3");
  check("v_cmp_t_u16", kT, kU16, "v2", "v3");
}

TEST_CASE("v_cmp_*_i32", "[sim]") {
  check("v_cmp_f_i32", kF, kI32, "v2", "v3");
  check("v_cmp_lt_i32", kLt, kI32, "v2", "v3");
  check("v_cmp_eq_i32", kEq, kI32, "v2", "v3");
  check("v_cmp_le_i32", kLe, kI32, "v2", "v3");
  check("v_cmp_gt_i32", kGt, kI32, "v2", "v3");
  check("v_cmp_ne_i32", kNe, kI32, "v2", "v3");
  check("v_cmp_ge_i32", kGe, kI32, "v2", "v3");
  check("v_cmp_t_i32", kT, kI32, "v2", "v3");
}

TEST_CASE("v_cmp_*_u32", "[sim]") {
  check("v_cmp_f_u32", kF, kU32, "v2", "v3");
  check("v_cmp_lt_u32", kLt, kU32, "v2", "v3");
  check("v_cmp_eq_u32", kEq, kU32, "v2", "v3");
  check("v_cmp_le_u32", kLe, kU32, "v2", "v3");
  check("v_cmp_gt_u32", kGt, kU32, "v2", "v3");
  check("v_cmp_ne_u32", kNe, kU32, "v2", "v3");
  check("v_cmp_ge_u32", kGe, kU32, "v2", "v3");
  check("v_cmp_t_u32", kT, kU32, "v2", "v3");
}

TEST_CASE("v_cmp_*_i64", "[sim]") {
  check("v_cmp_f_i64", kF, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_lt_i64", kLt, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_eq_i64", kEq, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_le_i64", kLe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_gt_i64", kGt, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_ne_i64", kNe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_ge_i64", kGe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmp_t_i64", kT, kI64, "v[2:3]", "v[4:5]");
}

TEST_CASE("v_cmp_*_u64", "[sim]") {
  check("v_cmp_f_u64", kF, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_lt_u64", kLt, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_eq_u64", kEq, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_le_u64", kLe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_gt_u64", kGt, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_ne_u64", kNe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_ge_u64", kGe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmp_t_u64", kT, kU64, "v[2:3]", "v[4:5]");
}

TEST_CASE("v_cmpx_*_i16", "[sim]") {
  check("v_cmpx_f_i16", kF, kI16, "v2", "v3");
  check("v_cmpx_lt_i16", kLt, kI16, "v2", "v3");
  check("v_cmpx_eq_i16", kEq, kI16, "v2", "v3");
  check("v_cmpx_le_i16", kLe, kI16, "v2", "v3");
  check("v_cmpx_gt_i16", kGt, kI16, "v2", "v3");
  check("v_cmpx_ne_i16", kNe, kI16, "v2", "v3");
  check("v_cmpx_ge_i16", kGe, kI16, "v2", "v3");
  check("v_cmpx_t_i16", kT, kI16, "v2", "v3");
}

TEST_CASE("v_cmpx_*_u16", "[sim]") {
  check("v_cmpx_f_u16", kF, kU16, "v2", "v3");
  check("v_cmpx_lt_u16", kLt, kU16, "v2", "v3");
  check("v_cmpx_eq_u16", kEq, kU16, "v2", "v3");
  check("v_cmpx_le_u16", kLe, kU16, "v2", "v3");
  check("v_cmpx_gt_u16", kGt, kU16, "v2", "v3");
  check("v_cmpx_ne_u16", kNe, kU16, "v2", "v3");
  check("v_cmpx_ge_u16", kGe, kU16, "v2", "v3");
  check("v_cmpx_t_u16", kT, kU16, "v2", "v3");
}

TEST_CASE("v_cmpx_*_i32", "[sim]") {
  check("v_cmpx_f_i32", kF, kI32, "v2", "v3");
  check("v_cmpx_lt_i32", kLt, kI32, "v2", "v3");
  check("v_cmpx_eq_i32", kEq, kI32, "v2", "v3");
  check("v_cmpx_le_i32", kLe, kI32, "v2", "v3");
  check("v_cmpx_gt_i32", kGt, kI32, "v2", "v3");
  check("v_cmpx_ne_i32", kNe, kI32, "v2", "v3");
  check("v_cmpx_ge_i32", kGe, kI32, "v2", "v3");
  check("v_cmpx_t_i32", kT, kI32, "v2", "v3");
}

TEST_CASE("v_cmpx_*_u32", "[sim]") {
  check("v_cmpx_f_u32", kF, kU32, "v2", "v3");
  check("v_cmpx_lt_u32", kLt, kU32, "v2", "v3");
  check("v_cmpx_eq_u32", kEq, kU32, "v2", "v3");
  check("v_cmpx_le_u32", kLe, kU32, "v2", "v3");
  check("v_cmpx_gt_u32", kGt, kU32, "v2", "v3");
  check("v_cmpx_ne_u32", kNe, kU32, "v2", "v3");
  check("v_cmpx_ge_u32", kGe, kU32, "v2", "v3");
  check("v_cmpx_t_u32", kT, kU32, "v2", "v3");
}

TEST_CASE("v_cmpx_*_i64", "[sim]") {
  check("v_cmpx_f_i64", kF, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_lt_i64", kLt, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_eq_i64", kEq, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_le_i64", kLe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_gt_i64", kGt, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_ne_i64", kNe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_ge_i64", kGe, kI64, "v[2:3]", "v[4:5]");
  check("v_cmpx_t_i64", kT, kI64, "v[2:3]", "v[4:5]");
}

TEST_CASE("v_cmpx_*_u64", "[sim]") {
  check("v_cmpx_f_u64", kF, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_lt_u64", kLt, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_eq_u64", kEq, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_le_u64", kLe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_gt_u64", kGt, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_ne_u64", kNe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_ge_u64", kGe, kU64, "v[2:3]", "v[4:5]");
  check("v_cmpx_t_u64", kT, kU64, "v[2:3]", "v[4:5]");
}

TEST_CASE("comparisons with scalars and constants", "[sim]") {
  check_rows({
      {"v_cmp_gt_u32", "vcc, s4, v2", {{{9, 8}, 1}, {{9, 9}, 0}}},
      {"v_cmp_lt_i64", "s[8:9], s[4:5], 1", {{{~uint64_t{0}}, 1}}},
      {"v_cmp_gt_i64", "s[8:9], 1, v[2:3]", {{{0}, 1}, {{1}, 0}, {{~uint64_t{0}}, 1}}},
      {"v_cmp_lt_u64", "vcc, -16, v[2:3]", {{{~uint64_t{0}}, 1}, {{5}, 0}}},
      {"v_cmp_eq_u16", "vcc, -1, v2", {{{0x1FFFF}, 1}, {{1}, 0}}},
  });
  CHECK(sim_test_wave().fault_of("v_cmp_eq_u16_e32 vcc, 1.0, v2") == "not modelled");
  CHECK(sim_test_wave().fault_of("v_cmp_lt_i64_e32 vcc, 0xffffff00, v[2:3]") == "not modelled");
}

TEST_CASE("comparisons of parts of registers", "[sim]") {
  check_rows({
      {"v_cmp_ne_u16_sdwa", "vcc, v2, v3 src0_sel:BYTE_0 src1_sel:DWORD", {{{0x1105, 5}, 0}, {{0x0506, 5}, 1}}},
      {"v_cmp_ne_u16_sdwa", "vcc, v2, v3 src0_sel:BYTE_1 src1_sel:DWORD", {{{0x1105, 5}, 1}, {{0x0506, 5}, 0}}},
      {"v_cmp_gt_u16_sdwa", "s[8:9], v2, s4 src0_sel:BYTE_3 src1_sel:DWORD", {{{0x06000000, 5}, 1}, {{0x05FFFFFF, 5}, 0}}},
      {"v_cmp_lt_i16_sdwa", "vcc, sext(v2), v3 src0_sel:BYTE_1 src1_sel:WORD_1", {{{0xFF00, 0}, 1}, {{0x7F00, 0}, 0}}},
      {"v_cmp_lt_i16_sdwa", "vcc, v2, v3 src0_sel:BYTE_1 src1_sel:WORD_1", {{{0xFF00, 0}, 0}, {{0, 0x00010000}, 1}}},
      {"v_cmp_eq_u32_sdwa", "vcc, v2, v3 src0_sel:WORD_1 src1_sel:WORD_0", {{{0x12340000, 0x99991234}, 1}, {{0x1234, 0x1234}, 0}}},
  });
}

TEST_CASE("v_cmpx into EXEC's own pair and lanes already off", "[sim]") {
  sim_test_wave w;
  w.set_vector(2, [](unsigned lane) { return lane; });
  w.set_exec(0xFF00FF00FF00FF00u);
  w.run("v_cmpx_lt_u32_e64 s[8:9], 31, v2");
  CHECK(w.state().exec() == 0xFF00FF0000000000u);
  CHECK(w.scalar64(8) == 0xFF00FF0000000000u);
}

}  // namespace
}  // namespace adahop::hip::sim::test
