// Values that nobody wrote: what may be done with them, what is a use and so a fault, and how they travel through vector,
// scalar and mask instructions. Each fault has a twin that must not fault.
#include "sim_execute_support.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;

namespace {

const std::string kUnwritten = "read of a register never written: ";

// Runs the lines; then v9 = 4 * lane as an address and `used` as data of a store to LDS. "REG has no value", with its lane.
std::string outcome(std::vector<std::string> lines, const std::string& used = {}, uint32_t threads = kLanes) {
  if (!used.empty()) {
    lines.insert(lines.end(), {"v_mbcnt_lo_u32_b32 v9, -1, 0", "v_mbcnt_hi_u32_b32 v9, -1, v9", "v_lshlrev_b32_e32 v9, 2, v9",
                               "ds_write_b32 v9, " + used});
  }
  lines.push_back("s_endpgm");
  trial t(lines, threads);
  const std::string what = t.run();
  if (what.empty()) return what;
  if (!what.starts_with(kUnwritten)) return what;
  const std::string detail = what.substr(kUnwritten.size());
  return t.last.lane < 0 ? detail : detail + " in lane " + std::to_string(t.last.lane);
}

}  // namespace

TEST_CASE("values: computing is no use, storing is", "[sim][spec:13.9]") {
  CHECK(outcome({"v_mov_b32_e32 v0, 1", "v_add_u32_e32 v2, v0, v1"}) == "");
  CHECK(outcome({"v_mov_b32_e32 v0, 1", "v_add_u32_e32 v2, v0, v1"}, "v2") == "v2 has no value in lane 0");
  CHECK(outcome({"v_mov_b32_e32 v0, 1", "v_mov_b32_e32 v1, 1", "v_add_u32_e32 v2, v0, v1"}, "v2") == "");
  CHECK(outcome({"v_mov_b32_e32 v1, v0"}, "v1") == "v1 has no value in lane 0");
  CHECK(outcome({"v_mov_b32_e32 v1, 5", "v_mov_b32_e32 v1, v0"}, "v1") == "v1 has no value in lane 0");
  CHECK(outcome({"v_mov_b32_e32 v1, s3"}, "v1") == "v1 has no value in lane 0");
  CHECK(outcome({"s_mov_b32 s3, 1", "v_mov_b32_e32 v1, s3"}, "v1") == "");
  CHECK(outcome({"v_mov_b32_e32 v1, 5", "ds_write_b32 v0, v1"}) == "v0 has no value in lane 0");
  // fmac reads its destination.
  CHECK(outcome({"v_mov_b32_e32 v0, 1.0", "v_fmac_f32_e32 v1, v0, v0"}, "v1") == "v1 has no value in lane 0");
  CHECK(outcome({"v_mov_b32_e32 v0, 1.0", "v_mov_b32_e32 v1, 1.0", "v_fmac_f32_e32 v1, v0, v0"}, "v1") == "");
  // Without the check nothing is a fault.
  trial off({"v_mov_b32_e32 v9, 0", "ds_write_b32 v9, v2", "s_endpgm"});
  off.settings.check.uninitialized = false;
  CHECK(off.run() == "");
}

TEST_CASE("values: only the lanes that are on must have one", "[sim][spec:13.9]") {
  const auto masked = [](const std::string& written, const std::string& read) {
    return outcome({"v_mov_b32_e32 v9, 0", "s_mov_b64 exec, " + written, "v_mov_b32_e32 v1, 2", "s_mov_b64 exec, " + read,
                    "ds_write_b32 v9, v1"});
  };
  CHECK(masked("15", "15") == "");
  CHECK(masked("15", "7") == "");
  CHECK(masked("15", "0") == "");
  CHECK(masked("15", "31") == "v1 has no value in lane 4");
  CHECK(masked("14", "15") == "v1 has no value in lane 0");
}

TEST_CASE("values: a select takes one source a lane", "[sim][spec:13.9]") {
  // v1 has a value in lanes 0 to 3; the mask says where it is taken.
  const auto selected = [](const std::string& mask) {
    return outcome({"v_mov_b32_e32 v0, 7", "s_mov_b64 exec, 15", "v_mov_b32_e32 v1, 2", "s_mov_b64 exec, -1",
                    "s_mov_b64 vcc, " + mask, "v_cndmask_b32_e32 v2, v0, v1, vcc"},
                   "v2");
  };
  CHECK(selected("15") == "");
  CHECK(selected("0") == "");
  CHECK(selected("48") == "v2 has no value in lane 4");
  CHECK(outcome({"v_mov_b32_e32 v0, 7", "v_mov_b32_e32 v1, 7", "v_cndmask_b32_e32 v2, v0, v1, vcc"}, "v2") ==
        "v2 has no value in lane 0");
}

TEST_CASE("values: lower halves need no upper ones", "[sim][spec:13.9]") {
  const std::vector<std::string> low = {"v_mov_b32_e32 v2, 3", "v_mov_b32_e32 v0, 5"};
  const auto with = [&](const std::string& line, const std::string& used) {
    std::vector<std::string> lines = low;
    lines.push_back(line);
    return outcome(lines, used);
  };
  for (const char* line : {"v_mad_u64_u32 v[4:5], s[0:1], v0, 6, v[2:3]", "v_lshl_add_u64 v[4:5], v[2:3], 2, v[2:3]",
                           "v_lshlrev_b64 v[4:5], 2, v[2:3]"}) {
    CAPTURE(line);
    CHECK(with(line, "v4") == "");
    CHECK(with(line, "v5") == "v5 has no value in lane 0");
  }
  // A right shift's lower half comes from the upper one.
  CHECK(with("v_lshrrev_b64 v[4:5], 2, v[2:3]", "v4") == "v4 has no value in lane 0");
  // Packed FP32: op_sel:[0,0] op_sel_hi:[0,0] takes the lower register of each pair twice.
  CHECK(with("v_pk_add_f32 v[4:5], v[2:3], v[2:3] op_sel_hi:[0,0]", "v5") == "");
  CHECK(with("v_pk_add_f32 v[4:5], v[2:3], v[2:3]", "v4") == "");
  CHECK(with("v_pk_add_f32 v[4:5], v[2:3], v[2:3]", "v5") == "v5 has no value in lane 0");
  CHECK(with("v_pk_add_f32 v[4:5], v[2:3], v[2:3] op_sel:[1,0] op_sel_hi:[0,0]", "v4") == "v4 has no value in lane 0");
}

TEST_CASE("values: lanes move with DPP", "[sim][spec:13.9]") {
  // v0 has a value in lanes 0 to 3; every lane of a quad reads lane 0 of it, or lane 3 of the next.
  const auto moved = [](const std::string& modifiers, const std::string& lanes) {
    return outcome({"s_mov_b64 exec, 15", "v_mov_b32_e32 v0, 1", "s_mov_b64 exec, " + lanes,
                    "v_mov_b32_dpp v1, v0 " + modifiers + " row_mask:0xf bank_mask:0xf"},
                   "v1");
  };
  CHECK(moved("quad_perm:[0,0,0,0]", "15") == "");
  CHECK(moved("quad_perm:[0,0,0,0]", "31") == "v1 has no value in lane 4");
  CHECK(moved("row_shr:4", "0xff") == "v1 has no value in lane 0");  // lanes 0 to 3 have no source and keep v1
  CHECK(moved("row_shr:4 bound_ctrl:1", "0xff") == "");
}

TEST_CASE("values: conditions are uses", "[sim][spec:13.9]") {
  CHECK(outcome({"s_cbranch_scc1 0"}) == "scc has no value");
  CHECK(outcome({"s_cmp_eq_u32 0, 0", "s_cbranch_scc1 0"}) == "");
  CHECK(outcome({"s_cmp_eq_u32 s0, 0"}) == "");
  CHECK(outcome({"s_cmp_eq_u32 s0, 0", "s_cbranch_scc1 0"}) == "scc has no value");
  CHECK(outcome({"s_cbranch_vccz 0"}) == "vcc_lo has no value");
  CHECK(outcome({"v_cmp_eq_u32_e32 vcc, 0, v0", "s_cbranch_vccz 0"}) == "vcc_lo has no value");
  CHECK(outcome({"v_mov_b32_e32 v0, 0", "v_cmp_eq_u32_e32 vcc, 0, v0", "s_cbranch_vccz 0"}) == "");
  CHECK(outcome({"s_mov_b64 exec, s[0:1]"}) == "exec_lo has no value in lane 0");
  CHECK(outcome({"s_cselect_b32 s0, 1, 2"}) == "");
  CHECK(outcome({"s_cselect_b32 s0, 1, 2", "v_mov_b32_e32 v0, s0"}, "v0") == "v0 has no value in lane 0");
  CHECK(outcome({"s_cmp_eq_u32 0, 0", "s_cselect_b32 s0, 1, s1", "v_mov_b32_e32 v0, s0"}, "v0") == "");
  CHECK(outcome({"s_cmp_eq_u32 0, 1", "s_cselect_b32 s0, 1, s1", "v_mov_b32_e32 v0, s0"}, "v0") == "v0 has no value in lane 0");
}

TEST_CASE("values: lane masks are known bit by bit", "[sim][spec:13.9]") {
  // As compilers merge a loop's masks: s[2:3] has no value at first, and only the bits of EXEC matter.
  const std::vector<std::string> merge = {"s_mov_b64 exec, 15", "s_andn2_b64 s[4:5], s[2:3], exec", "s_and_b64 s[6:7], 5, exec",
                                          "s_or_b64 s[4:5], s[4:5], s[6:7]"};
  const auto then = [&](const std::string& line) {
    std::vector<std::string> lines = merge;
    lines.push_back(line);
    return outcome(lines);
  };
  CHECK(then("s_and_saveexec_b64 s[8:9], s[4:5]") == "");
  CHECK(then("s_and_b64 exec, s[4:5], exec") == "");
  CHECK(then("s_mov_b64 exec, s[4:5]") == "exec_lo has no value in lane 4");
  CHECK(then("s_or_b64 exec, s[4:5], exec") == "exec_lo has no value in lane 4");
  CHECK(then("s_andn2_saveexec_b64 s[8:9], s[4:5]") == "exec_lo has no value in lane 4");
  CHECK(then("s_orn2_saveexec_b64 s[8:9], s[4:5]") == "");
  CHECK(then("s_orn2_saveexec_b64 s[8:9], s[2:3]") == "exec_lo has no value in lane 0");
  CHECK(then("s_xor_b64 exec, s[4:5], exec") == "exec_lo has no value in lane 4");
  CHECK(then("s_not_b64 exec, s[4:5]") == "exec_lo has no value in lane 4");
  // SCC: a known one decides, a known zero does not.
  CHECK(outcome({"s_mov_b32 s0, 1", "s_or_b32 s1, s0, s2", "s_cbranch_scc1 0"}) == "");
  CHECK(outcome({"s_mov_b32 s0, 0", "s_or_b32 s1, s0, s2", "s_cbranch_scc1 0"}) == "scc has no value");
  CHECK(outcome({"s_mov_b32 s0, 0", "s_and_b32 s1, s0, s2", "s_cbranch_scc1 0"}) == "");
  CHECK(outcome({"s_mov_b32 s0, 0", "s_nand_b32 s1, s0, s2", "s_cbranch_scc1 0"}) == "");
  CHECK(outcome({"s_mov_b32 s0, 1", "s_nor_b32 s1, s0, s2", "s_cbranch_scc1 0"}) == "scc has no value");
  // A compare's bits: lanes that are off are 0, lanes of unwritten registers unknown.
  CHECK(outcome({"s_mov_b64 exec, 3", "v_mov_b32_e32 v0, 1", "v_cmp_eq_u32_e64 s[4:5], 1, v0", "s_mov_b64 exec, s[4:5]"}) == "");
  CHECK(outcome({"s_mov_b64 exec, 3", "v_mov_b32_e32 v0, 1", "s_mov_b64 exec, 7", "v_cmp_eq_u32_e64 s[4:5], 1, v0",
                 "s_mov_b64 exec, s[4:5]"}) == "exec_lo has no value in lane 2");
  CHECK(outcome({"v_cmpx_eq_u32_e32 vcc, 1, v0"}) == "exec_lo has no value in lane 0");
}

TEST_CASE("values: carries", "[sim][spec:13.9]") {
  const std::vector<std::string> sum = {"v_mov_b32_e32 v0, 1", "v_add_co_u32_e32 v1, vcc, v0, v0"};
  const auto then = [&](const std::string& line, const std::string& used) {
    std::vector<std::string> lines = sum;
    lines.push_back(line);
    return outcome(lines, used);
  };
  CHECK(then("v_addc_co_u32_e32 v2, vcc, v0, v0, vcc", "v2") == "");
  CHECK(then("v_addc_co_u32_e32 v2, vcc, v0, v3, vcc", "v2") == "v2 has no value in lane 0");
  CHECK(outcome({"v_mov_b32_e32 v0, 1", "v_addc_co_u32_e32 v2, vcc, v0, v0, vcc"}, "v2") == "v2 has no value in lane 0");
}
