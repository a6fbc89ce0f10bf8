// Branches, waits, barrier and end of a wave, from the ISA manual's pseudocode of SOPP. What only schedules (s_nop, s_sleep,
// s_setprio) has no effect on results.
#include "sim/opcode.h"
#include "sim/scalar.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

void branch_if(wave& w, const instruction& i, bool taken) {
  if (taken) w.pc = i.target;
}
void branch(wave& w, const instruction& i) { branch_if(w, i, true); }
void branch_scc0(wave& w, const instruction& i) { branch_if(w, i, !w.scc); }
void branch_scc1(wave& w, const instruction& i) { branch_if(w, i, w.scc); }
void branch_vccz(wave& w, const instruction& i) { branch_if(w, i, w.vcc() == 0); }
void branch_vccnz(wave& w, const instruction& i) { branch_if(w, i, w.vcc() != 0); }
void branch_execz(wave& w, const instruction& i) { branch_if(w, i, w.exec() == 0); }
void branch_execnz(wave& w, const instruction& i) { branch_if(w, i, w.exec() != 0); }

void schedule_only(wave&, const instruction&) {}
void wait(wave& w, const instruction& i) { wait_for(w, i.mod.wait_vm, i.mod.wait_lgkm); }
void barrier(wave& w, const instruction&) { w.state = wave_state::at_barrier; }
void trap(wave& w, const instruction& i) { fail(w, i, "s_trap", "the kernel gave up"); }
void end_program(wave& w, const instruction&) { w.state = wave_state::ended; }

constexpr opcode kOpcodes[] = {
    {"s_branch", "i", branch, kBranch | kEndsBlock, certainty::manual},
    {"s_cbranch_scc0", "i", branch_scc0, kBranch | kReadsScc, certainty::manual},
    {"s_cbranch_scc1", "i", branch_scc1, kBranch | kReadsScc, certainty::manual},
    {"s_cbranch_vccz", "i", branch_vccz, kBranch | kReadsVcc, certainty::manual},
    {"s_cbranch_vccnz", "i", branch_vccnz, kBranch | kReadsVcc, certainty::manual},
    {"s_cbranch_execz", "i", branch_execz, kBranch | kReadsExec, certainty::manual},
    {"s_cbranch_execnz", "i", branch_execnz, kBranch | kReadsExec, certainty::manual},
    {"s_nop", "i", schedule_only, kPlain, certainty::manual},
    {"s_sleep", "i", schedule_only, kPlain, certainty::manual},
    {"s_setprio", "i", schedule_only, kPlain, certainty::manual},
    {"s_waitcnt", "", wait, kPlain, certainty::manual},
    {"s_barrier", "", barrier, kBarrier, certainty::manual},
    {"s_trap", "i", trap, kPlain, certainty::manual},
    {"s_endpgm", "", end_program, kEndsBlock, certainty::manual},
};

}  // namespace

std::span<const opcode> scalar_flow_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
