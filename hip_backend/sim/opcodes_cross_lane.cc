// Instructions that move values between lanes, or count lanes, from the ISA manual's pseudocode of VOP1 and VOP3. They choose
// the lanes themselves, so they also carry along which lanes have ever been written.
#include <bit>

#include "sim/fault.h"
#include "sim/opcode.h"
#include "sim/register_checks.h"
#include "sim/scalar.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

void copy_lane_to_scalar(wave& w, const instruction& i, unsigned lane) {
  const operand &to = i.operands[0], &from = i.operands[1];
  write_scalar(w, to, w.vgpr[from.reg][lane]);
  w.sgpr_defined[to.reg] = (w.vgpr_defined[from.reg] >> lane & 1u) != 0 ? kAllBits : 0;
}

// Of the lane number only 6 bits count. It is a use, so it must have been written.
unsigned selected_lane(const wave& w, const instruction& i) {
  const operand& o = i.operands[2];
  if (w.group->settings->check.uninitialized && o.kind == operand_kind::scalar && w.sgpr_defined[o.reg] != kAllBits)
    fail_unwritten(w, i, o.kind, o.reg, -1);
  return read_scalar(w, o) & 63u;
}

void read_lane(wave& w, const instruction& i) { copy_lane_to_scalar(w, i, selected_lane(w, i)); }

// Lane 0 where EXEC is zero.
void read_first_lane(wave& w, const instruction& i) {
  copy_lane_to_scalar(w, i, w.exec() == 0 ? 0u : static_cast<unsigned>(std::countr_zero(w.exec())));
}

// Writes the lane whatever EXEC says.
void write_lane(wave& w, const instruction& i) {
  const operand &to = i.operands[0], &from = i.operands[1];
  const unsigned lane = selected_lane(w, i);
  w.vgpr[to.reg][lane] = read_scalar(w, from);
  const uint64_t bit = uint64_t{1} << lane;
  const bool defined = from.kind != operand_kind::scalar || w.sgpr_defined[from.reg] == kAllBits;
  w.vgpr_defined[to.reg] = defined ? w.vgpr_defined[to.reg] | bit : w.vgpr_defined[to.reg] & ~bit;
}

// Of a half of a lane mask that begins at FirstLane: the bits of the lanes below each lane.
struct lower_lanes {
  uint32_t below[kLanes];
};
template <unsigned FirstLane>
constexpr lower_lanes make_lower_lanes() {
  lower_lanes t{};
  for (unsigned l = 0; l < kLanes; ++l)
    t.below[l] = l <= FirstLane ? 0u : l >= FirstLane + 32 ? ~0u : (1u << (l - FirstLane)) - 1;
  return t;
}
template <unsigned FirstLane>
constexpr lower_lanes kLowerLanes = make_lower_lanes<FirstLane>();

// The set bits of s0, a half of a lane mask, below the lane; s1 is added.
template <unsigned FirstLane>
void count_below(wave& w, const instruction& i) {
  const source_row<uint32_t> mask(w, i, 1), base(w, i, 2);
  lane_row out;
  for (unsigned l = 0; l < kLanes; ++l) out[l] = base[l] + ones(mask[l] & kLowerLanes<FirstLane>.below[l]);
  write_lanes(w, i, 0, out);
}

struct lane_value {
  uint32_t value;
  bool defined;
};

// Exchanges lane l + Distance of D with lane l of s0, for the lanes l of every lower half of 2 * Distance lanes. Only lanes
// that EXEC leaves on are written. One whose partner is off keeps its value; with bound_ctrl:1 it gets 0, with fi:1 the
// partner's value all the same. The pseudocode is silent about EXEC; this is what LLVM's documentation of the intrinsics and
// the reviews of AMD's emulator say.
template <unsigned Distance>
void swap_lanes(wave& w, const instruction& i) {
  const unsigned to = i.operands[0].reg, from = i.operands[1].reg;
  const uint64_t exec = w.exec();
  const auto on = [&](unsigned lane) { return (exec >> lane & 1u) != 0; };
  const auto at = [&](unsigned reg, unsigned lane) {
    return lane_value{w.vgpr[reg][lane], (w.vgpr_defined[reg] >> lane & 1u) != 0};
  };
  const auto put = [&](unsigned reg, unsigned lane, unsigned partner, lane_value v) {
    if (!on(lane)) return;
    if (!on(partner) && !i.mod.fetch_inactive) {
      if (!i.mod.dpp.bound_ctrl) return;
      v = {0, true};
    }
    w.vgpr[reg][lane] = v.value;
    const uint64_t bit = uint64_t{1} << lane;
    w.vgpr_defined[reg] = v.defined ? w.vgpr_defined[reg] | bit : w.vgpr_defined[reg] & ~bit;
  };
  for (unsigned half = 0; half < kLanes; half += 2 * Distance)
    for (unsigned l = half; l < half + Distance; ++l) {
      const lane_value low = at(from, l), high = at(to, l + Distance);
      put(from, l, l + Distance, high);
      put(to, l + Distance, l, low);
    }
}

constexpr uint32_t kCopies = kMove | kCrossLane;

constexpr opcode kOpcodes[] = {
    {"v_readlane_b32", "M1 v1 m1", read_lane, kCopies, certainty::manual},
    {"v_readfirstlane_b32", "M1 v1", read_first_lane, kCopies | kReadsExec, certainty::manual},
    {"v_writelane_b32", "X1 m1 m1", write_lane, kCopies | kKeepsRest, certainty::manual},
    {"v_mbcnt_lo_u32_b32", "D1 s1 s1", count_below<0>, kPlain, certainty::manual},
    {"v_mbcnt_hi_u32_b32", "D1 s1 s1", count_below<32>, kPlain, certainty::manual},
    {"v_permlane16_swap_b32", "X1 X1", swap_lanes<16>, kCopies | kSwap | kReadsExec, certainty::model},
    {"v_permlane32_swap_b32", "X1 X1", swap_lanes<32>, kCopies | kSwap | kReadsExec, certainty::model},
};

}  // namespace

std::span<const opcode> cross_lane_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
