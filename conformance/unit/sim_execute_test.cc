// The execution loop on programs given as text: order of waves, barriers, ends.
#include "sim_execute_support.h"

#include "sim/register_checks.h"

using namespace adahop::hip::sim;
using namespace adahop::hip::sim::test;
using Catch::Matchers::Contains;

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
      w->sgpr_defined[0] = w->sgpr_defined[1] = kAllBits;
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
