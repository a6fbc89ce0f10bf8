// Packed FP32: two results from pairs of registers. From the ISA manual: of a 64-bit source, op_sel chooses the half for the
// low result, op_sel_hi the half for the high one; neg_lo and neg_hi negate the halves so chosen.
#include "sim/float_arithmetic.h"
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

bool bit(unsigned bits, unsigned n) { return (bits >> n & 1u) != 0; }

// The rows of source `n` (0, 1, 2; operand n + 1) for result `half`.
const uint32_t* packed_row(const wave& w, const instruction& i, unsigned n, unsigned half, lane_row& buffer) {
  const unsigned part = bit(half == 0 ? i.mod.op_sel : i.mod.op_sel_hi, n) ? 1 : 0;
  const operand& o = i.operands[n + 1];
  const uint32_t* values;
  if (o.kind == operand_kind::constant) {
    // What the hardware has in the upper half beside an inline constant is not public; compilers use the lower one for both.
    if (part != 0) fail(w, i, "not modelled", "upper half of a constant in packed FP32; op_sel_hi must be 0");
    values = read_lanes(w, i, n + 1, buffer);
  } else {
    values = read_part(w, i, n + 1, part, buffer);
  }
  if (!bit(half == 0 ? i.mod.neg_lo : i.mod.neg_hi, n)) return values;
  for (unsigned l = 0; l < kLanes; ++l) buffer[l] = values[l] ^ f32::kSign;
  return buffer;
}

template <auto Function, unsigned Count>
void packed(wave& w, const instruction& i) {
  lane_row out[2];
  for (unsigned half = 0; half < 2; ++half) {
    lane_row buffers[Count];
    const uint32_t* s[Count];
    for (unsigned n = 0; n < Count; ++n) s[n] = packed_row(w, i, n, half, buffers[n]);
    if constexpr (Count == 2) {
      apply<Function, f32>(out[half], s[0], s[1]);
      settle_nans<f32>(out[half], s[0], s[1]);
    } else {
      apply<Function, f32>(out[half], s[0], s[1], s[2]);
      settle_nans<f32>(out[half], s[0], s[1], s[2]);
    }
    if (i.mod.clamp)
      for (uint32_t& lane : out[half]) lane = clamp_to_unit<f32>(lane);
  }
  write_part(w, i, 0, 0, out[0]);
  write_part(w, i, 0, 1, out[1]);
}

// The low result is a half of the first source, the high one a half of the second: op_sel alone chooses.
void move_pair(wave& w, const instruction& i) {
  if (i.mod.neg_lo != 0 || i.mod.neg_hi != 0) fail(w, i, "not modelled", "neg_lo or neg_hi of v_pk_mov_b32");
  lane_row low, high;
  const auto take = [&](unsigned n, lane_row& to) {
    const operand& o = i.operands[n + 1];
    const unsigned part = bit(i.mod.op_sel, n) ? 1 : 0;
    if (o.kind == operand_kind::constant && part != 0)
      fail(w, i, "not modelled", "upper half of a constant in v_pk_mov_b32");
    const uint32_t* values = o.kind == operand_kind::constant ? read_lanes(w, i, n + 1, to) : read_part(w, i, n + 1, part, to);
    if (values != to)
      for (unsigned l = 0; l < kLanes; ++l) to[l] = values[l];
  };
  take(0, low);
  take(1, high);
  write_part(w, i, 0, 0, low);
  write_part(w, i, 0, 1, high);
}

constexpr uint32_t kPacked = kVop3p | kClamp;

constexpr opcode kOpcodes[] = {
    {"v_pk_add_f32", "D2 s2 s2", packed<host_add<f32>, 2>, kPacked, certainty::inferred},
    {"v_pk_mul_f32", "D2 s2 s2", packed<host_mul<f32>, 2>, kPacked, certainty::inferred},
    {"v_pk_fma_f32", "D2 s2 s2 s2", packed<host_fma<f32>, 3>, kPacked, certainty::inferred},
    {"v_pk_mov_b32", "D2 s2 s2", move_pair, kVop3p | kMove, certainty::manual},
};

}  // namespace

std::span<const opcode> float_packed_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
