// Loads under way, names of registers, and the fault of a register without a value.
#include "sim/register_checks.h"

#include <fmt/format.h>

#include <bit>
#include <span>

#include "sim/fault.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

std::span<const register_range> writes_of(const instruction& i) { return {i.writes.data(), i.write_count}; }

bool covers(const register_range& r, operand_kind kind, unsigned reg) {
  return r.kind == kind && reg >= r.reg && reg < unsigned{r.reg} + r.width;
}

// Whether `later` surely comes back after `earlier`: both count in vmcnt, or both are LDS in lgkmcnt.
bool in_order(const instruction& earlier, const instruction& later) {
  const uint32_t both = earlier.op->flags & later.op->flags;
  return (both & (kVmCounter | kLgkmCounter)) != 0;
}

// The oldest access under way into a register that a later access `i` may overtake, or that `i`, no access, touches. Null
// where none is.
const instruction* load_into(const wave& w, const instruction& i, operand_kind kind, unsigned reg, bool written) {
  for (const auto* queue : {&w.vm_pending, &w.lgkm_pending})
    for (const pending_access& p : *queue)
      for (const register_range& r : writes_of(*p.by))
        if (covers(r, kind, reg) && !(written && in_order(*p.by, i))) return p.by;
  return nullptr;
}

void check_range(const wave& w, const instruction& i, const register_range& r, bool written) {
  for (unsigned n = 0; n < r.width; ++n) {
    const unsigned reg = r.reg + n;
    if ((r.kind == operand_kind::vector ? w.vgpr_pending[reg] : w.sgpr_pending[reg]) == 0) continue;
    const instruction* const by = load_into(w, i, r.kind, reg, written);
    if (by == nullptr) continue;
    fail(w, i, "use of a load's result before its s_waitcnt",
         fmt::format("{} is {} while '{}' at {:#x} is still to write it", register_name(r.kind, reg),
                     written ? "written" : "read", by->text, by->address));
  }
}

}  // namespace

std::string register_name(operand_kind kind, unsigned reg) {
  if (kind == operand_kind::vector)
    return reg >= kFirstAgpr ? fmt::format("a{}", reg - kFirstAgpr) : fmt::format("v{}", reg);
  switch (reg) {
    case kVccLow: return "vcc_lo";
    case kVccLow + 1: return "vcc_hi";
    case kM0: return "m0";
    case kExecLow: return "exec_lo";
    case kExecLow + 1: return "exec_hi";
    default: return fmt::format("s{}", reg);
  }
}

void require_written(const wave& w, const instruction& i, unsigned reg, uint64_t lanes) {
  if (!w.group->settings->check.uninitialized) return;
  const uint64_t missing = lanes & ~w.vgpr_defined[reg];
  if (missing != 0) fail_unwritten(w, i, operand_kind::vector, reg, std::countr_zero(missing));
}

void fail_unwritten(const wave& w, const instruction& i, operand_kind kind, unsigned reg, int lane) {
  fail(w, i, "read of a register never written", fmt::format("{} has no value", register_name(kind, reg)), lane);
}

void check_pending(const wave& w, const instruction& i) {
  if (w.vm_pending.empty() && w.lgkm_pending.empty()) return;
  for (unsigned n = 0; n < i.read_count; ++n) check_range(w, i, i.reads[n], false);
  for (unsigned n = 0; n < i.write_count; ++n) check_range(w, i, i.writes[n], true);
}

void forget_registers(wave& w) {
  w.vgpr_defined.fill(0);
  w.sgpr_defined.fill(0);
  w.scc_defined = false;
  w.vgpr_pending.fill(0);
  w.sgpr_pending.fill(0);
  if (!w.vm_pending.empty() || !w.lgkm_pending.empty()) w.log.reset();  // a fault ended the wave before
  w.vm_pending.clear();
  w.lgkm_pending.clear();
}

}  // namespace adahop::hip::sim
