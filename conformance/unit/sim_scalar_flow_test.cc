// Branches, waits, barrier, end and trap: the program counter and the state of the wave.

#include "sim_support.h"

namespace adahop::hip::sim::test {
namespace {

// Where the wave continues: 1 is the next instruction, 77 the branch's destination.
uint32_t next_after(sim_test_wave& w, std::string_view text) {
  instruction i = parsed(text);
  i.target = 77;
  w.state().pc = 1;
  i.run(w.state(), i);
  return w.state().pc;
}

struct branch_case {
  std::string_view text;
  bool scc;
  uint64_t vcc, exec;
  bool taken;
};

TEST_CASE("branches on SCC, VCC and EXEC", "[sim]") {
  constexpr uint64_t kHigh = uint64_t{1} << 63;
  const branch_case cases[] = {
      {"s_branch 5", false, 0, 0, true},
      {"s_cbranch_scc0 5", false, 0, 1, true},       {"s_cbranch_scc0 5", true, 0, 1, false},
      {"s_cbranch_scc1 5", true, 0, 1, true},        {"s_cbranch_scc1 65531", false, 0, 1, false},
      {"s_cbranch_vccz 5", true, 0, 1, true},        {"s_cbranch_vccz 5", true, kHigh, 1, false},
      {"s_cbranch_vccnz 5", true, kHigh, 1, true},   {"s_cbranch_vccnz 5", true, 0, 1, false},
      {"s_cbranch_execz 5", true, 1, 0, true},       {"s_cbranch_execz 5", true, 1, kHigh, false},
      {"s_cbranch_execnz 5", true, 1, kHigh, true},  {"s_cbranch_execnz 5", true, 1, 0, false},
  };
  for (const branch_case& c : cases) {
    INFO(c.text);
    sim_test_wave w;
    w.set_scc(c.scc);
    w.set_vcc(c.vcc);
    w.set_exec(c.exec);
    CHECK(next_after(w, c.text) == (c.taken ? 77u : 1u));
  }
  // Flags that the analysis of basic blocks relies on.
  for (const std::string_view mnemonic : {"s_branch", "s_cbranch_scc0", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_vccnz",
                                          "s_cbranch_execz", "s_cbranch_execnz"})
    CHECK((find_opcode(mnemonic)->flags & kBranch) != 0);
  CHECK((find_opcode("s_branch")->flags & kEndsBlock) != 0);
  CHECK((find_opcode("s_endpgm")->flags & kEndsBlock) != 0);
  CHECK((find_opcode("s_cbranch_scc0")->flags & kEndsBlock) == 0);
}

TEST_CASE("barrier, end and trap", "[sim]") {
  sim_test_wave w;
  w.run("s_barrier");
  CHECK(w.state().state == wave_state::at_barrier);
  w.run("s_endpgm");
  CHECK(w.state().state == wave_state::ended);
  CHECK(w.fault_of("s_trap 2") == "s_trap");
}

TEST_CASE("instructions that only schedule change nothing", "[sim]") {
  sim_test_wave w;
  for (const std::string_view text : {"s_nop 0", "s_nop 7", "s_sleep 1", "s_setprio 3", "v_nop"}) {
    w.run(text);
    CHECK(w.state().state == wave_state::running);
    CHECK(w.state().pc == 1);
  }
}

TEST_CASE("what the simulator leaves out is unknown", "[sim]") {
  for (const std::string_view mnemonic : {"s_getpc_b64", "s_setpc_b64", "s_swappc_b64", "s_call_b64", "s_getreg_b32",
                                          "s_setreg_b32", "s_sethalt", "s_buffer_load_dword", "s_movrels_b32", "s_rfe_b64",
                                          "s_set_gpr_idx_on", "s_memtime", "s_store_dword"})
    CHECK(find_opcode(mnemonic) == nullptr);
}

}  // namespace
}  // namespace adahop::hip::sim::test
