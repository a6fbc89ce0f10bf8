// The instructions of which compilers make IEEE division; the rules are those of numerics/division.h.
#include "sim/float_lanes.h"
#include "sim/numerics/division.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

// Operand 1 is the mask result, the sources follow.
template <typename F, auto Scale>
void scale(wave& w, const instruction& i) {
  using l = lanes_of<F>;
  typename l::row buffers[3], out;
  const auto* s0 = l::read(w, i, 2, buffers[0]);
  const auto* s1 = l::read(w, i, 3, buffers[1]);
  const auto* s2 = l::read(w, i, 4, buffers[2]);
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const auto r = Scale(s0[lane], s1[lane], s2[lane]);
    out[lane] = r.value;
    mask |= uint64_t{r.vcc} << lane;
  }
  l::write(w, i, out);
  write_mask(w, i.operands[1], mask);
}

template <typename F, auto Function>
void multiply_add_scaled(wave& w, const instruction& i) {
  using l = lanes_of<F>;
  typename l::row buffers[3], out;
  const auto* s0 = l::read(w, i, 1, buffers[0]);
  const auto* s1 = l::read(w, i, 2, buffers[1]);
  const auto* s2 = l::read(w, i, 3, buffers[2]);
  const uint64_t vcc = w.vcc();
  for (unsigned lane = 0; lane < kLanes; ++lane)
    out[lane] = Function(s0[lane], s1[lane], s2[lane], (vcc >> lane & 1u) != 0);
  l::write(w, i, out);
}

template <typename F, auto Function>
void reciprocal(wave& w, const instruction& i) {
  using l = lanes_of<F>;
  typename l::row buffer, out;
  const auto* x = l::read(w, i, 1, buffer);
  const division_options& choice = w.group->settings->division;
  for (unsigned lane = 0; lane < kLanes; ++lane) out[lane] = Function(x[lane], choice);
  l::write(w, i, out);
}

constexpr opcode kOpcodes[] = {
    {"v_div_scale_f32", "D1 M2 s1 s1 s1", scale<f32, div_scale_f32>, kFloatModifiers, certainty::model},
    {"v_div_scale_f64", "D2 M2 s2 s2 s2", scale<f64, div_scale_f64>, kFloatModifiers, certainty::model},
    {"v_div_fmas_f32", "D1 s1 s1 s1", multiply_add_scaled<f32, div_fmas_f32>, kFloatModifiers | kReadsVcc, certainty::model},
    {"v_div_fmas_f64", "D2 s2 s2 s2", multiply_add_scaled<f64, div_fmas_f64>, kFloatModifiers | kReadsVcc, certainty::model},
    {"v_div_fixup_f32", "D1 s1 s1 s1", per_lane_float<f32, div_fixup_f32, 1, 2, 3>, kFloatModifiers, certainty::model},
    {"v_div_fixup_f64", "D2 s2 s2 s2", per_lane_float<f64, div_fixup_f64, 1, 2, 3>, kFloatModifiers, certainty::model},
    // The bits of an approximate reciprocal are an option.
    {"v_rcp_f32", "D1 s1", reciprocal<f32, rcp_f32>, kFloatModifiers | kSdwaDpp, certainty::chosen},
    {"v_rcp_iflag_f32", "D1 s1", reciprocal<f32, rcp_f32>, kFloatModifiers | kSdwaDpp, certainty::chosen},
    {"v_rcp_f64", "D2 s2", reciprocal<f64, rcp_f64>, kFloatModifiers, certainty::chosen},
};

}  // namespace

std::span<const opcode> float_division_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
