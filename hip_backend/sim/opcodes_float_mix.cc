// Fused multiply-add of sources that are FP32 or a half of FP16 each. From the ISA manual's V_MAD_MIX_*: op_sel_hi says that a
// source is FP16, op_sel then chooses its half. LLVM knows the instructions by the name V_FMA_MIX on gfx950 and counts on one
// rounding of product and sum; the manual's pseudocode reads as if there were two.
#include "sim/float_arithmetic.h"
#include "sim/float_lanes.h"
#include "sim/numerics/convert.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

// Source n (0, 1, 2; operand n + 1) as FP32; abs and neg come last.
const uint32_t* mixed_source(const wave& w, const instruction& i, unsigned n, lane_row& buffer) {
  if ((i.mod.op_sel_hi >> n & 1u) == 0) {
    if ((i.mod.op_sel >> n & 1u) != 0) fail(w, i, "not modelled", "op_sel of an FP32 source");
    return read_f32(w, i, n + 1, buffer);
  }
  const operand& o = i.operands[n + 1];
  if (o.kind == operand_kind::constant) fail(w, i, "not modelled", "a constant as FP16 source of a mixed instruction");
  const unsigned shift = (i.mod.op_sel >> n & 1u) != 0 ? 16 : 0;
  const uint32_t* values = read_lanes(w, i, n + 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t x = cvt_f32_f16(values[l] >> shift & 0xFFFFu);
    if (o.absolute) x &= ~f32::kSign;
    buffer[l] = o.negate ? x ^ f32::kSign : x;
  }
  return buffer;
}

void mixed_sum(wave& w, const instruction& i, lane_row& out) {
  refuse_output_modifier(w, i);
  if (i.mod.neg_lo != 0 || i.mod.neg_hi != 0) fail(w, i, "not modelled", "neg_lo and neg_hi of a mixed instruction");
  lane_row buffers[3];
  const uint32_t* s[3];
  for (unsigned n = 0; n < 3; ++n) s[n] = mixed_source(w, i, n, buffers[n]);
  apply<host_fma<f32>, f32>(out, s[0], s[1], s[2]);
  settle_nans<f32>(out, s[0], s[1], s[2]);
}

void mix_f32(wave& w, const instruction& i) {
  lane_row out;
  mixed_sum(w, i, out);
  write_f32(w, i, out);
}

// Rounded to FP32, then to FP16 into one half; the other half is kept.
template <unsigned Shift>
void mix_f16(wave& w, const instruction& i) {
  lane_row out;
  mixed_sum(w, i, out);
  const uint32_t* old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t r = cvt_f16_f32(out[l]);
    if (i.mod.clamp) r = clamp_to_unit<f16>(r);
    out[l] = (old[l] & ~(0xFFFFu << Shift)) | r << Shift;
  }
  write_lanes(w, i, 0, out);
}

constexpr uint32_t kMixed = kVop3p | kFloatModifiers;

constexpr opcode kOpcodes[] = {
    {"v_fma_mix_f32", "D1 s1 s1 s1", mix_f32, kMixed, certainty::model},
    {"v_fma_mixlo_f16", "D1 s1 s1 s1", mix_f16<0>, kMixed | kKeepsRest, certainty::model},
    {"v_fma_mixhi_f16", "D1 s1 s1 s1", mix_f16<16>, kMixed | kKeepsRest, certainty::model},
};

}  // namespace

std::span<const opcode> float_mix_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
