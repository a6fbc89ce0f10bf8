// The simulator's 102 float comparisons: every relation on a lesser, an equal, a greater and an unordered pair, the class test
// on each class, EXEC of v_cmpx.
#include <fmt/format.h>

#include <bit>

#include "sim_float_values.h"
#include "sim_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

namespace {

/// What a comparison says where the first operand is less, equal, greater, or one of the two is NaN.
struct relation_row {
  std::string_view compare, compare_and_set_exec;
  bool less, equal, greater, unordered;
};

constexpr relation_row kF32[] = {
    {"v_cmp_f_f32", "v_cmpx_f_f32", false, false, false, false},
    {"v_cmp_lt_f32", "v_cmpx_lt_f32", true, false, false, false},
    {"v_cmp_eq_f32", "v_cmpx_eq_f32", false, true, false, false},
    {"v_cmp_le_f32", "v_cmpx_le_f32", true, true, false, false},
    {"v_cmp_gt_f32", "v_cmpx_gt_f32", false, false, true, false},
    {"v_cmp_lg_f32", "v_cmpx_lg_f32", true, false, true, false},
    {"v_cmp_ge_f32", "v_cmpx_ge_f32", false, true, true, false},
    {"v_cmp_o_f32", "v_cmpx_o_f32", true, true, true, false},
    {"v_cmp_u_f32", "v_cmpx_u_f32", false, false, false, true},
    {"v_cmp_nge_f32", "v_cmpx_nge_f32", true, false, false, true},
    {"v_cmp_nlg_f32", "v_cmpx_nlg_f32", false, true, false, true},
    {"v_cmp_ngt_f32", "v_cmpx_ngt_f32", true, true, false, true},
    {"v_cmp_nle_f32", "v_cmpx_nle_f32", false, false, true, true},
    {"v_cmp_neq_f32", "v_cmpx_neq_f32", true, false, true, true},
    {"v_cmp_nlt_f32", "v_cmpx_nlt_f32", false, true, true, true},
    {"v_cmp_tru_f32", "v_cmpx_tru_f32", true, true, true, true},
};

constexpr relation_row kF64[] = {
    {"v_cmp_f_f64", "v_cmpx_f_f64", false, false, false, false},
    {"v_cmp_lt_f64", "v_cmpx_lt_f64", true, false, false, false},
    {"v_cmp_eq_f64", "v_cmpx_eq_f64", false, true, false, false},
    {"v_cmp_le_f64", "v_cmpx_le_f64", true, true, false, false},
    {"v_cmp_gt_f64", "v_cmpx_gt_f64", false, false, true, false},
    {"v_cmp_lg_f64", "v_cmpx_lg_f64", true, false, true, false},
    {"v_cmp_ge_f64", "v_cmpx_ge_f64", false, true, true, false},
    {"v_cmp_o_f64", "v_cmpx_o_f64", true, true, true, false},
    {"v_cmp_u_f64", "v_cmpx_u_f64", false, false, false, true},
    {"v_cmp_nge_f64", "v_cmpx_nge_f64", true, false, false, true},
    {"v_cmp_nlg_f64", "v_cmpx_nlg_f64", false, true, false, true},
    {"v_cmp_ngt_f64", "v_cmpx_ngt_f64", true, true, false, true},
    {"v_cmp_nle_f64", "v_cmpx_nle_f64", false, false, true, true},
    {"v_cmp_neq_f64", "v_cmpx_neq_f64", true, false, true, true},
    {"v_cmp_nlt_f64", "v_cmpx_nlt_f64", false, true, true, true},
    {"v_cmp_tru_f64", "v_cmpx_tru_f64", true, true, true, true},
};

constexpr relation_row kF16[] = {
    {"v_cmp_f_f16", "v_cmpx_f_f16", false, false, false, false},
    {"v_cmp_lt_f16", "v_cmpx_lt_f16", true, false, false, false},
    {"v_cmp_eq_f16", "v_cmpx_eq_f16", false, true, false, false},
    {"v_cmp_le_f16", "v_cmpx_le_f16", true, true, false, false},
    {"v_cmp_gt_f16", "v_cmpx_gt_f16", false, false, true, false},
    {"v_cmp_lg_f16", "v_cmpx_lg_f16", true, false, true, false},
    {"v_cmp_ge_f16", "v_cmpx_ge_f16", false, true, true, false},
    {"v_cmp_o_f16", "v_cmpx_o_f16", true, true, true, false},
    {"v_cmp_u_f16", "v_cmpx_u_f16", false, false, false, true},
    {"v_cmp_nge_f16", "v_cmpx_nge_f16", true, false, false, true},
    {"v_cmp_nlg_f16", "v_cmpx_nlg_f16", false, true, false, true},
    {"v_cmp_ngt_f16", "v_cmpx_ngt_f16", true, true, false, true},
    {"v_cmp_nle_f16", "v_cmpx_nle_f16", false, false, true, true},
    {"v_cmp_neq_f16", "v_cmpx_neq_f16", true, false, true, true},
    {"v_cmp_nlt_f16", "v_cmpx_nlt_f16", false, true, true, true},
    {"v_cmp_tru_f16", "v_cmpx_tru_f16", true, true, true, true},
};

/// A lesser and a greater number, the two zeros, and NaNs of a format, and its operands in a text.
struct operands_of_format {
  uint64_t low, high, zero, minus_zero, quiet, signalling;
  const char* operands;
};

std::vector<lane_case> cases_of(const relation_row& row, const operands_of_format& v) {
  return {{{v.low, v.high}, row.less},        {{v.high, v.high}, row.equal},       {{v.minus_zero, v.zero}, row.equal},
          {{v.high, v.low}, row.greater},     {{v.zero, v.low}, row.greater},      {{v.quiet, v.high}, row.unordered},
          {{v.high, v.quiet}, row.unordered}, {{v.signalling, v.low}, row.unordered}, {{v.quiet, v.quiet}, row.unordered}};
}

void check_relations(std::span<const relation_row> rows, const operands_of_format& values) {
  for (const relation_row& row : rows) {
    for (const std::string mask : {"vcc", "s[20:21]"})
      check_row(vector_row{row.compare, fmt::format("{}, {}", mask, values.operands), cases_of(row, values)});
    check_row(vector_row{row.compare_and_set_exec, fmt::format("s[20:21], {}", values.operands), cases_of(row, values)});
  }
}

/// The patterns of the ten classes, in the order of V_CMP_CLASS's bits.
std::vector<lane_case> class_cases(const std::vector<uint64_t>& patterns) {
  std::vector<lane_case> cases;
  for (size_t bit = 0; bit < patterns.size(); ++bit) {
    cases.push_back({{patterns[bit], uint64_t{1} << bit}, 1});
    cases.push_back({{patterns[bit], 0x3FFu & ~(uint64_t{1} << bit)}, 0});
  }
  return cases;
}

}  // namespace

TEST_CASE("simulator: FP32 relations") { check_relations(kF32, {kFm2, kF1, kF0, kFm0, kFQuiet1, kFSignal, "v2, v4"}); }
TEST_CASE("simulator: FP64 relations") {
  check_relations(kF64, {kDm1, kD1, kD0, kDm0, kDQuiet1, kDSignal, "v[2:3], v[4:5]"});
}
TEST_CASE("simulator: FP16 relations") { check_relations(kF16, {kHm1, kH1, 0, kHm0, kHQuiet1, kHSignal, "v2, v4"}); }

TEST_CASE("simulator: comparisons see neighbours, subnormals and infinities") {
  check_rows(std::vector<vector_row>{
      {"v_cmp_lt_f32", "vcc, v2, v4",
       {{{kFTiny, 2}, 1}, {{kF0, kFTiny}, 1}, {{0x80000001, kFm0}, 1}, {{kFMax, kFInf}, 1}, {{kFmInf, 0xFF7FFFFF}, 1},
        {{kF1, 0x3F800001}, 1}, {{0xBF800001, kFm1}, 1}, {{kFInf, kFInf}, 0}}},
      {"v_cmp_lt_f64", "vcc, v[2:3], v[4:5]",
       {{{kD1, kD1 + 1}, 1}, {{kDTiny, 2}, 1}, {{kDm1, kDm1 + 1}, 0}, {{kDMax, kDInf}, 1}}},
      {"v_cmp_lt_f16", "vcc, v2, v4", {{{kHTiny, 2}, 1}, {{0xFFFF0000 | kH1, kH1 + 1}, 1}, {{kHMax, kHInf}, 1}}},
      {"v_cmp_lt_f32", "vcc, |v2|, -v4", {{{kFm1, kFm2}, 1}, {{kFm2, kFm1}, 0}}},
      {"v_cmp_eq_f64", "s[20:21], v[2:3], 1.0", {{{kD1}, 1}, {{kD2}, 0}}},
      {"v_cmp_gt_f32", "vcc, s6, v4", {{{kF2, kF1}, 1}, {{kF2, kF3}, 0}}},
  });
}

TEST_CASE("simulator: classes of floats") {
  const std::vector<uint64_t> f32_classes = {kFSignal, kFQuiet2, kFmInf, kFm1, 0x80000001, kFm0, kF0, kFTiny, kFNormal, kFInf};
  const std::vector<uint64_t> f64_classes = {kDSignal, kDQuiet2, kDmInf, kDm1, 0x8000000000000001, kDm0, kD0, kDTiny, kD1, kDInf};
  const std::vector<uint64_t> f16_classes = {kHSignal, kHQuiet1, kHmInf, kHm1, 0x8001, kHm0, 0, 0x03FF, 0x0400, kHInf};
  check_rows(std::vector<vector_row>{
      {"v_cmp_class_f32", "vcc, v2, v4", class_cases(f32_classes)},
      {"v_cmpx_class_f32", "vcc, v2, v4", class_cases(f32_classes)},
      {"v_cmp_class_f64", "vcc, v[2:3], v4", class_cases(f64_classes)},
      {"v_cmpx_class_f64", "vcc, v[2:3], v4", class_cases(f64_classes)},
      {"v_cmp_class_f16", "vcc, v2, v4", class_cases(f16_classes)},
      {"v_cmpx_class_f16", "vcc, v2, v4", class_cases(f16_classes)},
      {"v_cmp_class_f32", "s[20:21], -|v2|, 4", {{{kFInf}, 1}, {{kFmInf}, 1}, {{kF1}, 0}}},
  });
}

TEST_CASE("simulator: v_cmpx switches off the lanes that fail") {
  sim_test_wave w;
  w.set_vector(2, [](unsigned lane) { return std::bit_cast<uint32_t>(static_cast<float>(lane)); });
  w.set_exec(0x0FFFFFFFFFFFFFF0);
  w.run("v_cmpx_gt_f32 vcc, 0x41800000, v2");
  CHECK(w.state().exec() == 0xFFF0);
  CHECK(w.scalar64(kVccLow) == 0xFFF0);
  w.set_vector(4, [](unsigned lane) { return static_cast<uint32_t>(lane < 8 ? kFInf : kF1); });
  w.run("v_cmpx_class_f32 s[20:21], v4, 0x200");  // +Inf
  CHECK(w.state().exec() == 0xF0);
  CHECK(w.scalar64(20) == 0xF0);
}

TEST_CASE("simulator: a comparison takes no output modifier") {
  sim_test_wave w;
  CHECK(w.fault_of("v_cmp_lt_f32_e64 s[20:21], v2, v4 clamp") == "not modelled");
}
