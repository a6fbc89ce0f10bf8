// The execution loop and the register checks on programs given as text: order of waves, barriers, ends, and each register
// fault with a twin that must not fault.
#include <memory>
#include <string>
#include <vector>

#include "sim/execute.h"
#include "sim/lds_memory.h"
#include "sim/operand_parser.h"
#include "sim/program.h"
#include "sim/register_checks.h"
#include "sim_support.h"

using namespace adahop::hip::sim;
using Catch::Matchers::Contains;

namespace {

// A workgroup on a program of four-byte instructions. A branch's operand is its distance, as in the machine code.
struct trial {
  program code;
  options settings;
  lds_memory lds;
  workgroup group;

  explicit trial(const std::vector<std::string>& lines, uint32_t threads = kLanes) {
    for (const std::string& line : lines) {
      const auto index = static_cast<uint32_t>(code.code.size());
      auto i = parse_instruction(line, 0x100 + 4 * index, 4);
      INFO(line);
      if (!i.ok()) FAIL(i.why().message());
      i->index = index;
      if ((i->op->flags & kBranch) != 0) i->target = index + 1 + static_cast<uint32_t>(i->operands[0].integer);
      code.code.push_back(std::move(i).value());
    }
    group.code = &code;
    group.settings = &settings;
    group.lds = &lds;
    group.threads = threads;
    lds.begin_workgroup(0);
    for (uint32_t n = 0; n * kLanes < threads; ++n) {
      auto w = std::make_unique<wave>();
      w->number = n;
      w->group = &group;
      w->set_exec(lanes_of_wave(threads, n));
      w->sgpr_defined[kExecLow] = w->sgpr_defined[kExecLow + 1] = true;
      group.waves.push_back(std::move(w));
    }
  }

  wave& first() { return *group.waves[0]; }
  void define_scalar(unsigned reg, uint32_t value) {
    for (const auto& w : group.waves) {
      w->sgpr[reg] = value + w->number;
      w->sgpr_defined[reg] = true;
    }
  }
  /// "kind: detail" of the fault; empty where there is none.
  std::string run() {
    try {
      run_workgroup(group);
    } catch (const fault& f) {
      last = f;
      return f.kind + ": " + f.detail;
    }
    return {};
  }
  fault last;
};

constexpr const char* kUnwritten = "read of a register never written: ";

}  // namespace

TEST_CASE("execute: lanes of the last wave", "[sim][spec:13.8]") {
  CHECK(lanes_of_wave(64, 0) == ~uint64_t{0});
  CHECK(lanes_of_wave(65, 0) == ~uint64_t{0});
  CHECK(lanes_of_wave(65, 1) == 1);
  CHECK(lanes_of_wave(1, 0) == 1);
  CHECK(lanes_of_wave(64, 1) == 0);
  CHECK(lanes_of_wave(127, 1) == ~uint64_t{0} >> 1);
}

TEST_CASE("execute: branches, ends and counts", "[sim]") {
  // Counts s0 down from 5: 1 + 5 * 3 + 1 instructions.
  trial t({"s_mov_b32 s0, 5", "s_sub_i32 s0, s0, 1", "s_cmp_lg_u32 s0, 0", "s_cbranch_scc1 65533", "s_endpgm"}, 128);
  for (instruction& i : t.code.code)
    if ((i.op->flags & kBranch) != 0) i.target = 1;
  REQUIRE(t.run() == "");
  for (const auto& w : t.group.waves) {
    CHECK(w->state == wave_state::ended);
    CHECK(w->sgpr[0] == 0);
    CHECK(w->executed == 17);
  }
  CHECK(t.group.epoch == 0);
}

TEST_CASE("execute: a wave that never ends is a fault", "[sim][spec:13.9]") {
  trial t({"s_nop 0", "s_branch 65534", "s_endpgm"});
  t.code.code[1].target = 0;
  t.settings.instruction_budget = 1000;
  CHECK(t.run() == "runaway wave: 1000 instructions executed (option instruction_budget)");
  trial exact({"s_nop 0", "s_nop 0", "s_endpgm"});
  exact.settings.instruction_budget = 3;
  CHECK(exact.run() == "");
  trial over({"s_nop 0", "s_nop 0", "s_endpgm"});
  over.settings.instruction_budget = 2;
  CHECK_THAT(over.run(), Contains("runaway wave"));
}

TEST_CASE("execute: barriers count the waves that have not ended", "[sim]") {
  // Wave 0 ends at once; the others pass two barriers.
  trial t({"s_cmp_eq_u32 s0, 0", "s_cbranch_scc1 2", "s_barrier", "s_barrier", "s_endpgm"}, 3 * kLanes);
  t.define_scalar(0, 0);
  REQUIRE(t.run() == "");
  CHECK(t.group.epoch == 2);
  CHECK(t.group.waves[0]->executed == 3);
  CHECK(t.group.waves[2]->executed == 5);
}

TEST_CASE("execute: s_barrier with lanes switched off", "[sim][spec:13.9]") {
  const std::vector<std::string> lines = {"s_mov_b64 exec, s[0:1]", "s_barrier", "s_endpgm"};
  const auto outcome = [&](uint64_t lanes, uint32_t threads, bool check) {
    trial t(lines, threads);
    t.settings.check.divergence = check;
    for (const auto& w : t.group.waves) {
      w->set_pair(0, lanes);
      w->sgpr_defined[0] = w->sgpr_defined[1] = true;
    }
    return t.run();
  };
  CHECK(outcome(~uint64_t{0}, 64, true) == "");
  CHECK(outcome(~uint64_t{0} >> 3, 64, true) == "divergent barrier: s_barrier with 3 lanes switched off");
  CHECK(outcome(~uint64_t{0} >> 3, 64, false) == "");
  // Only 61 work-items: the other lanes never were on.
  CHECK(outcome(~uint64_t{0} >> 3, 61, true) == "");
  CHECK(outcome(~uint64_t{0} >> 4, 61, true) == "divergent barrier: s_barrier with 1 lanes switched off");
}

TEST_CASE("execute: the order of waves follows the seed and is repeatable", "[sim][spec:13.10]") {
  // The wave that runs first is the first whose budget is exceeded.
  const auto first_wave = [](uint64_t seed) {
    trial t({"s_nop 0", "s_endpgm"}, 16 * kLanes);
    t.settings.instruction_budget = 1;
    t.settings.schedule_seed = seed;
    t.run();
    return t.last.wave_number;
  };
  CHECK(first_wave(0) == 0);
  bool other = false;
  for (uint64_t seed = 1; seed < 8; ++seed) {
    CHECK(first_wave(seed) == first_wave(seed));
    other = other || first_wave(seed) != 0;
  }
  CHECK(other);
}

TEST_CASE("registers: a source never written", "[sim][spec:13.9]") {
  const std::string vector = kUnwritten + std::string("v1 has no value");
  trial t({"v_mov_b32_e32 v0, 1", "v_add_u32_e32 v2, v0, v1", "s_endpgm"});
  CHECK(t.run() == vector);
  CHECK(t.last.instruction == 1);
  CHECK(t.last.lane == 0);
  trial twin({"v_mov_b32_e32 v0, 1", "v_mov_b32_e32 v1, 2", "v_add_u32_e32 v2, v0, v1", "s_endpgm"});
  CHECK(twin.run() == "");
  CHECK(twin.first().vgpr[2][63] == 3);
  trial off({"v_mov_b32_e32 v0, 1", "v_add_u32_e32 v2, v0, v1", "s_endpgm"});
  off.settings.check.uninitialized = false;
  CHECK(off.run() == "");

  trial scalar({"s_add_u32 s2, s0, s1", "s_endpgm"});
  scalar.define_scalar(0, 1);
  CHECK(scalar.run() == kUnwritten + std::string("s1 has no value"));
  CHECK(scalar.last.lane == -1);
  trial vcc({"v_mov_b32_e32 v0, 1", "v_mov_b32_e32 v1, 1", "v_cndmask_b32_e32 v2, v0, v1, vcc", "s_endpgm"});
  CHECK(vcc.run() == kUnwritten + std::string("vcc_lo has no value"));
  trial scc({"s_cselect_b32 s0, 1, 2", "s_endpgm"});
  CHECK(scc.run() == kUnwritten + std::string("scc has no value"));
  trial scc_twin({"s_cmp_eq_u32 0, 0", "s_cselect_b32 s0, 1, 2", "s_endpgm"});
  CHECK(scc_twin.run() == "");
}

TEST_CASE("registers: only the lanes that are on must have been written", "[sim][spec:13.9]") {
  const auto outcome = [](const std::string& written, const std::string& read) {
    trial t({"s_mov_b64 exec, " + written, "v_mov_b32_e32 v1, 2", "s_mov_b64 exec, " + read, "v_add_u32_e32 v0, v1, v1",
             "s_endpgm"});
    const std::string what = t.run();
    return what.empty() ? what : what + " in lane " + std::to_string(t.last.lane);
  };
  CHECK(outcome("15", "15") == "");
  CHECK(outcome("15", "7") == "");
  CHECK(outcome("15", "0") == "");
  CHECK(outcome("15", "31") == kUnwritten + std::string("v1 has no value in lane 4"));
  CHECK(outcome("14", "15") == kUnwritten + std::string("v1 has no value in lane 0"));
}

TEST_CASE("registers: a copy is no use, but what it copied is", "[sim][spec:13.9]") {
  trial copy({"v_mov_b32_e32 v1, v0", "s_endpgm"});
  CHECK(copy.run() == "");
  trial use({"v_mov_b32_e32 v1, v0", "v_add_u32_e32 v2, v1, v1", "s_endpgm"});
  CHECK(use.run() == kUnwritten + std::string("v1 has no value"));
  // A copy over a value takes it away.
  trial lost({"v_mov_b32_e32 v1, 5", "v_mov_b32_e32 v1, v0", "v_add_u32_e32 v2, v1, v1", "s_endpgm"});
  CHECK(lost.run() == kUnwritten + std::string("v1 has no value"));
  trial from_scalar({"v_mov_b32_e32 v1, s3", "v_add_u32_e32 v2, v1, v1", "s_endpgm"});
  CHECK(from_scalar.run() == kUnwritten + std::string("v1 has no value"));
}

TEST_CASE("registers: a select uses the source it takes", "[sim][spec:13.9]") {
  // v1 is written in lanes 0 to 3 only; vcc says where it is taken.
  const auto outcome = [](const std::string& taken) {
    trial t({"v_mov_b32_e32 v0, 7", "s_mov_b64 exec, 15", "v_mov_b32_e32 v1, 2", "s_mov_b64 exec, -1",
             "s_mov_b64 vcc, " + taken, "v_cndmask_b32_e32 v2, v0, v1, vcc", "v_add_u32_e32 v3, v2, v2", "s_endpgm"});
    const std::string what = t.run();
    return what.empty() ? what : what + " in lane " + std::to_string(t.last.lane);
  };
  CHECK(outcome("15") == "");
  CHECK(outcome("0") == "");
  CHECK(outcome("48") == kUnwritten + std::string("v2 has no value in lane 4"));
}

TEST_CASE("registers: names", "[sim]") {
  CHECK(register_name(operand_kind::vector, 255) == "v255");
  CHECK(register_name(operand_kind::vector, 256) == "a0");
  CHECK(register_name(operand_kind::scalar, 101) == "s101");
  CHECK(register_name(operand_kind::scalar, 106) == "vcc_lo");
  CHECK(register_name(operand_kind::scalar, 107) == "vcc_hi");
  CHECK(register_name(operand_kind::scalar, 124) == "m0");
  CHECK(register_name(operand_kind::scalar, 126) == "exec_lo");
  CHECK(register_name(operand_kind::scalar, 127) == "exec_hi");
}
