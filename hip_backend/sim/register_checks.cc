// Register checks. Definedness is kept per lane of vector registers and per scalar register; SCC has a bit of its own.
#include "sim/register_checks.h"

#include <fmt/format.h>

#include <bit>
#include <span>

#include "sim/fault.h"
#include "sim/lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

bool has(const instruction& i, uint32_t flag) { return (i.op->flags & flag) != 0; }

std::span<const register_range> reads_of(const instruction& i) { return {i.reads.data(), i.read_count}; }
std::span<const register_range> writes_of(const instruction& i) { return {i.writes.data(), i.write_count}; }

bool covers(const register_range& r, operand_kind kind, unsigned reg) {
  return r.kind == kind && reg >= r.reg && reg < unsigned{r.reg} + r.width;
}

// The oldest instruction under way into a register; null where none is.
const instruction* load_into(const wave& w, operand_kind kind, unsigned reg) {
  for (const auto* queue : {&w.vm_pending, &w.lgkm_pending})
    for (const pending_access& p : *queue)
      for (const register_range& r : writes_of(*p.by))
        if (covers(r, kind, reg)) return p.by;
  return nullptr;
}

[[noreturn]] void fail_pending(const wave& w, const instruction& i, operand_kind kind, unsigned reg, const char* what) {
  const instruction* by = load_into(w, kind, reg);
  const std::string who = by == nullptr ? "a load" : fmt::format("'{}' at {:#x}", by->text, by->address);
  fail(w, i, "use of a load's result before its s_waitcnt",
       fmt::format("{} is {} while {} is still to write it", register_name(kind, reg), what, who));
}

void check_pending(const wave& w, const instruction& i, const register_range& r, const char* what) {
  if (w.vm_pending.empty() && w.lgkm_pending.empty()) return;
  for (unsigned n = 0; n < r.width; ++n) {
    const unsigned reg = r.reg + n;
    const bool pending = r.kind == operand_kind::vector ? w.vgpr_pending[reg] != 0 : w.sgpr_pending[reg] != 0;
    if (pending) fail_pending(w, i, r.kind, reg, what);
  }
}

[[noreturn]] void fail_unwritten(const wave& w, const instruction& i, operand_kind kind, unsigned reg, int lane) {
  fail(w, i, "read of a register never written", fmt::format("{} has no value", register_name(kind, reg)), lane);
}

// The lanes of the DPP source that the lanes of `writable` read.
uint64_t dpp_source_lanes(const wave& w, const dpp_modifier& dpp, uint64_t writable) {
  uint64_t lanes = 0;
  for (uint64_t left = writable; left != 0; left &= left - 1) {
    const int from = dpp_source_lane(dpp, static_cast<unsigned>(std::countr_zero(left)));
    if (from >= 0) lanes |= uint64_t{1} << from;
  }
  return lanes & w.exec();
}

// DPP applies to the first source, the first vector register after the destination.
bool is_dpp_source(const instruction& i, const register_range& r) {
  for (unsigned n = 1; n < i.operand_count; ++n)
    if (i.operands[n].kind == operand_kind::vector) return r.kind == operand_kind::vector && r.reg == i.operands[n].reg;
  return false;
}

void check_written(const wave& w, const instruction& i, uint64_t lanes) {
  for (const register_range& r : reads_of(i)) {
    if (r.kind == operand_kind::scalar) {
      for (unsigned n = 0; n < r.width; ++n)
        if (!w.sgpr_defined[r.reg + n]) fail_unwritten(w, i, r.kind, r.reg + n, -1);
      continue;
    }
    if (has(i, kCrossLane)) continue;
    const bool dpp = i.mod.dpp.pattern != dpp_pattern::none && is_dpp_source(i, r);
    const uint64_t needed = dpp ? dpp_source_lanes(w, i.mod.dpp, lanes) : lanes;
    for (unsigned n = 0; n < r.width; ++n) {
      const uint64_t missing = needed & ~w.vgpr_defined[r.reg + n];
      if (missing != 0) fail_unwritten(w, i, r.kind, r.reg + n, std::countr_zero(missing));
    }
  }
  if (has(i, kReadsScc) && !w.scc_defined) fail(w, i, "read of a register never written", "scc has no value");
}

// Lanes of part `part` of source operand n that have a value.
uint64_t defined_lanes(const wave& w, const operand& o, unsigned part) {
  if (o.kind == operand_kind::vector) return w.vgpr_defined[o.reg + part % o.width];
  if (o.kind == operand_kind::scalar) return w.sgpr_defined[o.reg + part % o.width] ? kAllLanes : 0;
  return kAllLanes;
}

// What a copied lane holds has a value where its source has; lanes of DPP sources move.
uint64_t moved_lanes(const wave& w, const instruction& i, uint64_t defined) {
  if (i.mod.dpp.pattern == dpp_pattern::none) return defined;
  uint64_t lanes = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    const int from = dpp_source_lane(i.mod.dpp, l);
    const bool zero = from < 0 || (w.exec() >> from & 1u) == 0;  // bound_ctrl: the lane gets 0
    if (zero || (defined >> from & 1u) != 0) lanes |= uint64_t{1} << l;
  }
  return lanes;
}

// The scalar mask of a select (v_cndmask_b32) or null: its last source, where that is a pair, or VCC.
const uint16_t* select_mask(const instruction& i) {
  static constexpr uint16_t kVcc = kVccLow;
  if (i.operand_count < 3 || i.writes[0].kind != operand_kind::vector) return nullptr;
  const operand& last = i.operands[i.operand_count - 1];
  if (last.kind == operand_kind::scalar && last.width == 2) return &last.reg;
  return has(i, kReadsVcc) ? &kVcc : nullptr;
}

// A copy of a never-written register is no fault; it is never written itself, and its use is the fault.
void copy_definedness(wave& w, const instruction& i, uint64_t lanes) {
  const register_range& to = i.writes[0];
  const unsigned first = 1;
  if (to.kind == operand_kind::scalar) {
    for (unsigned n = 0; n < to.width; ++n)
      w.sgpr_defined[to.reg + n] = defined_lanes(w, i.operands[first], n) == kAllLanes;
    return;
  }
  if (i.write_count == 2 && i.writes[1].kind == operand_kind::vector) {  // v_swap_b32
    uint64_t &one = w.vgpr_defined[to.reg], &other = w.vgpr_defined[i.writes[1].reg];
    const uint64_t differ = (one ^ other) & lanes;
    one ^= differ;
    other ^= differ;
    return;
  }
  std::array<uint64_t, 16> copied{};
  const uint16_t* mask = select_mask(i);
  for (unsigned half = 0; mask != nullptr && half < 2; ++half)
    if (!w.sgpr_defined[*mask + half]) fail_unwritten(w, i, operand_kind::scalar, *mask + half, -1);
  for (unsigned n = 0; n < to.width && n < copied.size(); ++n) {
    if (mask != nullptr) {  // D = mask ? second : first
      const uint64_t taken = w.pair(*mask);
      copied[n] = (defined_lanes(w, i.operands[first], n) & ~taken) | (defined_lanes(w, i.operands[first + 1], n) & taken);
    } else if (has(i, kVop3p)) {  // v_pk_mov_b32: op_sel picks the half of each source
      copied[n] = defined_lanes(w, i.operands[first + n], i.mod.op_sel >> n & 1u);
    } else {
      copied[n] = moved_lanes(w, i, defined_lanes(w, i.operands[first], n));
    }
  }
  for (unsigned n = 0; n < to.width && n < copied.size(); ++n) {
    uint64_t& defined = w.vgpr_defined[to.reg + n];
    defined = (defined & ~lanes) | (copied[n] & lanes);
  }
}

void mark_written(wave& w, const instruction& i, uint64_t lanes) {
  for (const register_range& r : writes_of(i))
    for (unsigned n = 0; n < r.width; ++n) {
      if (r.kind == operand_kind::vector)
        w.vgpr_defined[r.reg + n] |= lanes;
      else
        w.sgpr_defined[r.reg + n] = true;
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

void check_registers(wave& w, const instruction& i) {
  const checks& check = w.group->settings->check;
  if (check.pending) {
    for (const register_range& r : reads_of(i)) check_pending(w, i, r, "read");
    for (const register_range& r : writes_of(i)) check_pending(w, i, r, "written");
  }
  if (!check.uninitialized) return;
  const uint64_t lanes = has(i, kWholeWave) ? kAllLanes : writable_lanes(w, i);
  if (has(i, kMove)) {
    if (!has(i, kCrossLane) && i.write_count != 0) copy_definedness(w, i, lanes);
    return;
  }
  check_written(w, i, lanes);
  if (!has(i, kCrossLane)) mark_written(w, i, lanes);
  if (has(i, kWritesScc)) w.scc_defined = true;
}

void mark_cross_lane(wave& w, const instruction& i) {
  if (!w.group->settings->check.uninitialized || has(i, kMove)) return;
  mark_written(w, i, w.exec());
}

void forget_registers(wave& w) {
  w.vgpr_defined.fill(0);
  w.sgpr_defined.reset();
  w.scc_defined = false;
  w.vgpr_pending.fill(0);
  w.sgpr_pending.fill(0);
  if (!w.vm_pending.empty() || !w.lgkm_pending.empty()) w.log.reset();  // a fault ended the wave before
  w.vm_pending.clear();
  w.lgkm_pending.clear();
}

}  // namespace adahop::hip::sim
