// Source and output modifiers of float instructions.
#include "sim/float_modifiers.h"

#include "sim/float_rules.h"
#include "sim/numerics/round.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

/// abs clears the sign bit, neg flips it then.
template <typename F>
struct sign_masks {
  bits_of_format<F> keep, flip;
  explicit sign_masks(const operand& o)
      : keep(static_cast<bits_of_format<F>>(o.absolute ? ~F::kSign : ~bits_of_format<F>{0})), flip(o.negate ? F::kSign : 0) {}
};

uint32_t constant_f16(const operand& o) {
  if (!o.is_real) return static_cast<uint32_t>(o.integer) & 0xFFFFu;
  // Inline reals are 0.5, 1, 2, 4, negated or not, and 1/(2 pi), whose FP16 pattern the manual gives.
  if (o.real > 0.159 && o.real < 0.160) return 0x3118u;
  const unpacked p = unpack(kF64, std::bit_cast<uint64_t>(o.real));
  return static_cast<uint32_t>(round_to(kF16, p.negative, p.significand, p.exponent));
}

}  // namespace

const uint32_t* read_f32(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  const uint32_t* values = read_lanes(w, i, n, buffer);
  const operand& o = i.operands[n];
  if (!o.negate && !o.absolute) return values;
  const sign_masks<f32> sign(o);
  for (unsigned l = 0; l < kLanes; ++l) buffer[l] = (values[l] & sign.keep) ^ sign.flip;
  return buffer;
}

const uint32_t* read_f16(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  const operand& o = i.operands[n];
  const sign_masks<f16> sign(o);
  if (o.kind == operand_kind::constant) {
    for (uint32_t& lane : buffer) lane = (constant_f16(o) & sign.keep) ^ sign.flip;
    return buffer;
  }
  const unsigned shift = (i.op->flags & kOpSel) != 0 && (i.mod.op_sel >> (n - 1) & 1u) != 0 ? 16 : 0;
  const uint32_t* values = read_lanes(w, i, n, buffer);
  for (unsigned l = 0; l < kLanes; ++l) buffer[l] = ((values[l] >> shift & 0xFFFFu) & sign.keep) ^ sign.flip;
  return buffer;
}

void read_f64(const wave& w, const instruction& i, unsigned n, lane_pairs& out) {
  read_lanes64(w, i, n, out, true);
  const operand& o = i.operands[n];
  if (!o.negate && !o.absolute) return;
  const sign_masks<f64> sign(o);
  for (uint64_t& lane : out) lane = (lane & sign.keep) ^ sign.flip;
}

const uint32_t* read_integer(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  if (i.operands[n].negate || i.operands[n].absolute) fail(w, i, "not modelled", "neg or abs of an integer source");
  return read_lanes(w, i, n, buffer);
}

void refuse_output_modifier(const wave& w, const instruction& i) {
  if (i.mod.output != omod::none)
    fail(w, i, "not modelled", "mul:2, mul:4 and div:2 have no effect under MODE.IEEE and with denormals kept");
}

void refuse_output_modifiers(const wave& w, const instruction& i) {
  refuse_output_modifier(w, i);
  if (i.mod.clamp) fail(w, i, "not modelled", "clamp: the manual does not say what it does to this instruction");
}

void write_f32(wave& w, const instruction& i, lane_row& values) {
  refuse_output_modifier(w, i);
  if (i.mod.clamp)
    for (uint32_t& lane : values) lane = clamp_to_unit<f32>(lane);
  write_lanes(w, i, 0, values);
}

void write_f64(wave& w, const instruction& i, lane_pairs& values) {
  refuse_output_modifier(w, i);
  if (i.mod.clamp)
    for (uint64_t& lane : values) lane = clamp_to_unit<f64>(lane);
  write_lanes64(w, i, 0, values);
}

void write_f16(wave& w, const instruction& i, lane_row& values) {
  refuse_output_modifier(w, i);
  if (i.mod.clamp)
    for (uint32_t& lane : values) lane = clamp_to_unit<f16>(lane);
  write_lanes(w, i, 0, values);
}

}  // namespace adahop::hip::sim
