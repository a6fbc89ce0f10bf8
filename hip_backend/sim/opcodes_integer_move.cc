// Vector moves, exchanges and selects, from the ISA manual's pseudocode of VOP1 and VOP2. Accumulation registers
// are moved under EXEC like others: LLVM uses v_accvgpr_* and v_mov_b32 for the same copies.
#include <utility>

#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t move(uint32_t a) { return a; }
constexpr uint64_t move64(uint64_t a) { return a; }

void nothing(wave&, const instruction&) {}

// Both registers change under EXEC; what was never written moves too.
void swap(wave& w, const instruction& i) {
  const unsigned a = i.operands[0].reg, b = i.operands[1].reg;
  const uint64_t exec = w.exec();
  for (unsigned l = 0; l < kLanes; ++l)
    if ((exec >> l & 1u) != 0) std::swap(w.vgpr[a][l], w.vgpr[b][l]);
  const uint64_t differ = (w.vgpr_defined[a] ^ w.vgpr_defined[b]) & exec;
  w.vgpr_defined[a] ^= differ;
  w.vgpr_defined[b] ^= differ;
}

// The sign bit of a source after |x| and -x, which v_cndmask_b32 takes as FP32.
void apply_sign(const operand& o, const uint32_t* from, lane_row& to) {
  const uint32_t keep = o.absolute ? 0x7FFFFFFFu : 0xFFFFFFFFu, flip = o.negate ? 0x80000000u : 0u;
  for (unsigned l = 0; l < kLanes; ++l) to[l] = (from[l] & keep) ^ flip;
}

void select(wave& w, const instruction& i) {
  if (i.mod.clamp || i.mod.output != omod::none) fail(w, i, "not modelled", "an output modifier of v_cndmask_b32");
  lane_row buffers[2], signed_values[2], out;
  const uint32_t* sources[2];
  for (unsigned n = 0; n < 2; ++n) {
    const operand& o = i.operands[1 + n];
    sources[n] = read_lanes(w, i, 1 + n, buffers[n]);
    if (!o.negate && !o.absolute) continue;
    apply_sign(o, sources[n], signed_values[n]);
    sources[n] = signed_values[n];
  }
  lane_row second;  // all ones where the mask is set
  expand_mask(read_mask(w, i.operands[3]), second);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = (sources[1][l] & second[l]) | (sources[0][l] & ~second[l]);
  write_lanes(w, i, 0, out);
}

constexpr opcode kOpcodes[] = {
    {"v_nop", "", nothing, kPlain, certainty::manual},
    {"v_mov_b32", "D1 s1", per_lane<move, 1>, kMove | kSdwaDpp, certainty::manual},
    {"v_mov_b64", "D2 s2", per_lane<move64, 1>, kMove, certainty::manual},
    {"v_accvgpr_read_b32", "D1 v1", per_lane<move, 1>, kMove, certainty::model},
    {"v_accvgpr_write_b32", "D1 s1", per_lane<move, 1>, kMove, certainty::model},
    {"v_accvgpr_mov_b32", "D1 v1", per_lane<move, 1>, kMove, certainty::model},
    {"v_swap_b32", "X1 X1", swap, kMove | kCrossLane, certainty::manual},
    {"v_cndmask_b32", "D1 s1 s1 m2", select, kMove | kSdwaDpp | kFloatModifiers, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_move_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
