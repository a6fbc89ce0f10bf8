// Rounding to integral values, powers of two, and parts of floats, from the ISA manual.
#include "sim/float_arithmetic.h"
#include "sim/float_integral.h"
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

template <typename F, integral Mode>
constexpr handler kRound = per_lane_float<F, to_integral<F, Mode>, 1>;

// x - floor(x), rounded; below 1 always. [The manual's pseudocode would round -2^-30 to 1; LLVM counts on less than 1.]
template <typename F>
bits_of_format<F> fraction(bits_of_format<F> x) {
  const bits_of_format<F> r = host_sub<F>(x, to_integral<F, integral::down>(x));
  if (is_nan<F>(r)) return nan_result<F>(x);
  return r == F::kOne ? F::kOne - 1 : r;
}

// The exponent is an integer source: neg and abs are of the float one.
void scale_f32(wave& w, const instruction& i) {
  lane_row buffers[2], out;
  const uint32_t* x = read_f32(w, i, 1, buffers[0]);
  const uint32_t* n = read_integer(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = scale_by_power<f32>(x[l], static_cast<int32_t>(n[l]));
  write_f32(w, i, out);
}
void scale_f64(wave& w, const instruction& i) {
  lane_pairs x;
  lane_row buffer;
  read_f64(w, i, 1, x);
  const uint32_t* n = read_integer(w, i, 2, buffer);
  for (unsigned l = 0; l < kLanes; ++l) x[l] = scale_by_power<f64>(x[l], static_cast<int32_t>(n[l]));
  write_f64(w, i, x);
}
// The exponent is the low 16 bits, signed.
void scale_f16(wave& w, const instruction& i) {
  lane_row buffers[2], out;
  const uint32_t* x = read_f16(w, i, 1, buffers[0]);
  const uint32_t* n = read_integer(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = scale_by_power<f16>(x[l], static_cast<int16_t>(n[l]));
  write_f16(w, i, out);
}

void exponent_f32(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  lane_row buffer, out;
  const uint32_t* x = read_f32(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = static_cast<uint32_t>(binary_exponent<f32>(x[l]));
  write_lanes(w, i, 0, out);
}
void exponent_f64(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  lane_pairs x;
  lane_row out;
  read_f64(w, i, 1, x);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = static_cast<uint32_t>(binary_exponent<f64>(x[l]));
  write_lanes(w, i, 0, out);
}

constexpr uint32_t kModifiedSdwa = kFloatModifiers | kSdwaDpp;

constexpr opcode kOpcodes[] = {
    {"v_trunc_f32", "D1 s1", kRound<f32, integral::toward_zero>, kModifiedSdwa, certainty::manual},
    {"v_floor_f32", "D1 s1", kRound<f32, integral::down>, kModifiedSdwa, certainty::manual},
    {"v_ceil_f32", "D1 s1", kRound<f32, integral::up>, kModifiedSdwa, certainty::manual},
    {"v_rndne_f32", "D1 s1", kRound<f32, integral::nearest_even>, kModifiedSdwa, certainty::manual},
    {"v_trunc_f64", "D2 s2", kRound<f64, integral::toward_zero>, kFloatModifiers, certainty::manual},
    {"v_floor_f64", "D2 s2", kRound<f64, integral::down>, kFloatModifiers, certainty::manual},
    {"v_ceil_f64", "D2 s2", kRound<f64, integral::up>, kFloatModifiers, certainty::manual},
    {"v_rndne_f64", "D2 s2", kRound<f64, integral::nearest_even>, kFloatModifiers, certainty::manual},
    {"v_trunc_f16", "D1 s1", kRound<f16, integral::toward_zero>, kModifiedSdwa, certainty::manual},
    {"v_floor_f16", "D1 s1", kRound<f16, integral::down>, kModifiedSdwa, certainty::manual},
    {"v_ceil_f16", "D1 s1", kRound<f16, integral::up>, kModifiedSdwa, certainty::manual},
    {"v_rndne_f16", "D1 s1", kRound<f16, integral::nearest_even>, kModifiedSdwa, certainty::manual},
    {"v_fract_f32", "D1 s1", per_lane_float<f32, fraction<f32>, 1>, kModifiedSdwa, certainty::model},
    {"v_fract_f64", "D2 s2", per_lane_float<f64, fraction<f64>, 1>, kFloatModifiers, certainty::model},
    {"v_ldexp_f32", "D1 s1 s1", scale_f32, kFloatModifiers, certainty::manual},
    {"v_ldexp_f64", "D2 s2 s1", scale_f64, kFloatModifiers, certainty::manual},
    {"v_ldexp_f16", "D1 s1 s1", scale_f16, kModifiedSdwa, certainty::manual},
    {"v_frexp_exp_i32_f32", "D1 s1", exponent_f32, kModifiedSdwa, certainty::model},
    {"v_frexp_exp_i32_f64", "D1 s2", exponent_f64, kFloatModifiers, certainty::model},
    {"v_frexp_mant_f32", "D1 s1", per_lane_float<f32, binary_significand<f32>, 1>, kModifiedSdwa, certainty::model},
    {"v_frexp_mant_f64", "D2 s2", per_lane_float<f64, binary_significand<f64>, 1>, kFloatModifiers, certainty::model},
};

}  // namespace

std::span<const opcode> float_integral_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
