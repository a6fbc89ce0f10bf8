// Conversions to and from FP4 under a scale, and to BF16: what surrounds the functions of numerics/convert.h. op_sel chooses
// the byte of FP4 pairs or the half of a BF16; the rest of a destination is kept. From the ISA manual's pseudocode.
#include "sim/float_lanes.h"
#include "sim/numerics/convert.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

const conversion_options& choices(const wave& w) { return w.group->settings->conversion; }

// The byte of the destination, OPSEL[3:2].
uint32_t result_byte(const wave& w, const instruction& i) {
  if ((i.mod.op_sel & 3u) != 0) fail(w, i, "not modelled", "op_sel of a source in a conversion to FP4");
  return i.mod.op_sel >> 2 & 3u;
}
// The byte of the source, OPSEL[1:0].
uint32_t source_byte(const wave& w, const instruction& i) {
  if (i.mod.op_sel > 3) fail(w, i, "not modelled", "op_sel of the destination in a conversion from FP4");
  return i.mod.op_sel;
}

void f32_to_fp4(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  const uint32_t byte = result_byte(w, i);
  lane_row buffers[3], out;
  const uint32_t *a = read_f32(w, i, 1, buffers[0]), *b = read_f32(w, i, 2, buffers[1]);
  const uint32_t *scale = read_f32(w, i, 3, buffers[2]), *old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = cvt_scalef32_pk_fp4_f32(old[l], a[l], b[l], scale[l], byte, choices(w));
  write_lanes(w, i, 0, out);
}

template <auto Function>
void pair_to_fp4(wave& w, const instruction& i) {
  const uint32_t byte = result_byte(w, i);
  lane_row buffers[2], out;
  const uint32_t *pair = read_lanes(w, i, 1, buffers[0]), *scale = read_lanes(w, i, 2, buffers[1]);
  const uint32_t* old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(old[l], pair[l], scale[l], byte, choices(w));
  write_lanes(w, i, 0, out);
}

void f32_to_fp4_stochastic(wave& w, const instruction& i) {
  const uint32_t byte = result_byte(w, i);
  lane_row buffers[4], out;
  const uint32_t *a = read_part(w, i, 1, 0, buffers[0]), *b = read_part(w, i, 1, 1, buffers[1]);
  const uint32_t *random = read_lanes(w, i, 2, buffers[2]), *scale = read_lanes(w, i, 3, buffers[3]);
  const uint32_t* old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l)
    out[l] = cvt_scalef32_sr_pk_fp4_f32(old[l], a[l], b[l], random[l], scale[l], byte, choices(w));
  write_lanes(w, i, 0, out);
}

template <auto Function>
void pair_to_fp4_stochastic(wave& w, const instruction& i) {
  const uint32_t byte = result_byte(w, i);
  lane_row buffers[3], out;
  const uint32_t *pair = read_lanes(w, i, 1, buffers[0]), *random = read_lanes(w, i, 2, buffers[1]);
  const uint32_t *scale = read_lanes(w, i, 3, buffers[2]), *old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(old[l], pair[l], random[l], scale[l], byte, choices(w));
  write_lanes(w, i, 0, out);
}

void fp4_to_f32(wave& w, const instruction& i) {
  const uint32_t byte = source_byte(w, i);
  lane_row buffers[2], low, high;
  const uint32_t *x = read_lanes(w, i, 1, buffers[0]), *scale = read_lanes(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) {
    const result_pair r = cvt_scalef32_pk_f32_fp4(x[l], scale[l], byte, choices(w));
    low[l] = r.first;
    high[l] = r.second;
  }
  write_part(w, i, 0, 0, low);
  write_part(w, i, 0, 1, high);
}

template <auto Function>
void fp4_to_pair(wave& w, const instruction& i) {
  const uint32_t byte = source_byte(w, i);
  lane_row buffers[2], out;
  const uint32_t *x = read_lanes(w, i, 1, buffers[0]), *scale = read_lanes(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(x[l], scale[l], byte, choices(w));
  write_lanes(w, i, 0, out);
}

void f32_to_bf16(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  lane_row buffers[2], out;
  const uint32_t *a = read_f32(w, i, 1, buffers[0]), *b = read_f32(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = cvt_pk_bf16_f32(a[l], b[l], choices(w));
  write_lanes(w, i, 0, out);
}

// In LLVM's text the third number of op_sel is the destination's half, OPSEL[3] of the encoding.
void f32_to_bf16_stochastic(wave& w, const instruction& i) {
  constexpr unsigned kHigh = 1u << 2;
  if ((i.mod.op_sel & ~kHigh) != 0) fail(w, i, "not modelled", "op_sel of a source in v_cvt_sr_bf16_f32");
  refuse_output_modifiers(w, i);
  const bool high = (i.mod.op_sel & kHigh) != 0;
  lane_row buffers[2], out;
  const uint32_t *x = read_f32(w, i, 1, buffers[0]), *random = read_integer(w, i, 2, buffers[1]);
  const uint32_t* old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) out[l] = cvt_sr_bf16_f32(old[l], x[l], random[l], high, choices(w));
  write_lanes(w, i, 0, out);
}

void next_random(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_lanes(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = prng_b32(x[l]);
  write_lanes(w, i, 0, out);
}

constexpr uint32_t kPart = kOpSel | kKeepsRest;

constexpr opcode kOpcodes[] = {
    {"v_cvt_scalef32_pk_fp4_f32", "D1 s1 s1 s1", f32_to_fp4, kPart | kFloatModifiers, certainty::chosen},
    {"v_cvt_scalef32_pk_fp4_bf16", "D1 s1 s1", pair_to_fp4<cvt_scalef32_pk_fp4_bf16>, kPart, certainty::chosen},
    {"v_cvt_scalef32_pk_fp4_f16", "D1 s1 s1", pair_to_fp4<cvt_scalef32_pk_fp4_f16>, kPart, certainty::chosen},
    {"v_cvt_scalef32_sr_pk_fp4_f32", "D1 s2 s1 s1", f32_to_fp4_stochastic, kPart, certainty::chosen},
    {"v_cvt_scalef32_sr_pk_fp4_bf16", "D1 s1 s1 s1", pair_to_fp4_stochastic<cvt_scalef32_sr_pk_fp4_bf16>, kPart,
     certainty::chosen},
    {"v_cvt_scalef32_sr_pk_fp4_f16", "D1 s1 s1 s1", pair_to_fp4_stochastic<cvt_scalef32_sr_pk_fp4_f16>, kPart,
     certainty::chosen},
    {"v_cvt_scalef32_pk_f32_fp4", "D2 s1 s1", fp4_to_f32, kOpSel, certainty::chosen},
    {"v_cvt_scalef32_pk_bf16_fp4", "D1 s1 s1", fp4_to_pair<cvt_scalef32_pk_bf16_fp4>, kOpSel, certainty::chosen},
    {"v_cvt_scalef32_pk_f16_fp4", "D1 s1 s1", fp4_to_pair<cvt_scalef32_pk_f16_fp4>, kOpSel, certainty::chosen},
    {"v_cvt_pk_bf16_f32", "D1 s1 s1", f32_to_bf16, kFloatModifiers, certainty::chosen},
    {"v_cvt_sr_bf16_f32", "D1 s1 s1", f32_to_bf16_stochastic, kPart | kFloatModifiers, certainty::chosen},
    {"v_prng_b32", "D1 s1", next_random, kSdwaDpp, certainty::manual},
};

}  // namespace

std::span<const opcode> conversion_scaled_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
