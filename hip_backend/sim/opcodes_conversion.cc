// Conversions between integers, FP16, BF16, FP32 and FP64, from the ISA manual. Floats become integers by truncation,
// saturated, NaN 0. To a float: nearest even. NaNs stay NaNs: sign and upper payload kept, quieted. [our choice]
#include "sim/float_arithmetic.h"
#include "sim/float_integral.h"
#include "sim/float_lanes.h"
#include "sim/numerics/convert.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

template <auto Function>
void integer_to_f32(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_integer(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = to_bits(Function(x[l]));
  write_f32(w, i, out);
}
template <auto Function>
void integer_to_f64(wave& w, const instruction& i) {
  lane_row buffer;
  lane_pairs out;
  const uint32_t* x = read_integer(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = to_bits(Function(x[l]));
  write_f64(w, i, out);
}
template <auto Function>
void integer_to_f16(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_integer(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(x[l]);
  write_f16(w, i, out);
}
template <typename F, auto Function>
void float_to_integer(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  typename lanes_of<F>::row buffer;
  lane_row out;
  const auto* x = lanes_of<F>::read(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(x[l]);
  write_lanes(w, i, 0, out);
}

float signed_to_f32(uint32_t x) { return static_cast<float>(static_cast<int32_t>(x)); }
float unsigned_to_f32(uint32_t x) { return static_cast<float>(x); }
template <unsigned Byte>
float byte_to_f32(uint32_t x) {
  return static_cast<float>(static_cast<int32_t>(x >> (8 * Byte) & 0xFFu));
}
double signed_to_f64(uint32_t x) { return static_cast<int32_t>(x); }
double unsigned_to_f64(uint32_t x) { return x; }
uint32_t signed_to_f16(uint32_t x) {
  const int32_t v = static_cast<int16_t>(x);
  return static_cast<uint32_t>(round_to(kF16, v < 0, static_cast<uint64_t>(v < 0 ? -v : v), 0));
}
uint32_t unsigned_to_f16(uint32_t x) { return static_cast<uint32_t>(round_to(kF16, false, uint64_t{x & 0xFFFFu}, 0)); }

// The integer below |value| in the range [least, most]; NaN gives 0.
template <typename Integer>
Integer truncated(double value, double least, double most) {
  if (value != value) return 0;
  return static_cast<Integer>(value < least ? least : value > most ? most : value);
}
template <typename Bits>
uint32_t to_i32(Bits x) {
  return static_cast<uint32_t>(truncated<int32_t>(from_bits(x), -0x1p31, 0x1p31 - 1));
}
template <typename Bits>
uint32_t to_u32(Bits x) {
  return truncated<uint32_t>(from_bits(x), 0, 0x1p32 - 1);
}
uint32_t f16_to_i16(uint32_t x) {
  return static_cast<uint32_t>(truncated<int32_t>(from_bits(cvt_f32_f16(x)), -0x1p15, 0x1p15 - 1)) & 0xFFFFu;
}
uint32_t f16_to_u16(uint32_t x) { return truncated<uint32_t>(from_bits(cvt_f32_f16(x)), 0, 0x1p16 - 1); }
uint32_t floor_to_i32(uint32_t x) { return to_i32(to_integral<f32, integral::down>(x)); }
// floor(x + 0.5), the sum rounded to FP32 as the pseudocode has it.
uint32_t nearest_up_to_i32(uint32_t x) { return floor_to_i32(host_add<f32>(x, 0x3F000000u)); }

uint64_t widened(uint32_t x) {
  if (is_nan<f32>(x))
    return quiet<f64>(uint64_t{x & f32::kSign} << 32 | f64::kInfinity | uint64_t{x & f32::kFraction} << 29);
  return to_bits(static_cast<double>(from_bits(x)));
}
uint32_t narrowed(uint64_t x) {
  if (is_nan<f64>(x))
    return quiet<f32>(static_cast<uint32_t>(x >> 32 & f32::kSign) | f32::kInfinity |
                      static_cast<uint32_t>(x >> 29 & f32::kFraction));
  return to_bits(static_cast<float>(from_bits(x)));
}
void f32_to_f64(wave& w, const instruction& i) {
  lane_row buffer;
  lane_pairs out;
  const uint32_t* x = read_f32(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = widened(x[l]);
  write_f64(w, i, out);
}
void f64_to_f32(wave& w, const instruction& i) {
  lane_pairs x;
  lane_row out;
  read_f64(w, i, 1, x);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = narrowed(x[l]);
  write_f32(w, i, out);
}

void f32_to_f16(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_f32(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = cvt_f16_f32(x[l]);
  write_f16(w, i, out);
}
void f16_to_f32(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_f16(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = cvt_f32_f16(x[l]);
  write_f32(w, i, out);
}
// The 16 bits become the upper half; no arithmetic, so NaNs stay as they are.
void bf16_to_f32(wave& w, const instruction& i) {
  lane_row buffer, out;
  const uint32_t* x = read_integer(w, i, 1, buffer);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = x[l] << 16;
  write_f32(w, i, out);
}

// Toward zero: what overflows is the largest finite number.
uint32_t truncated_to_f16(uint32_t x) {
  if (exponent_field<f32>(x) == f32::kExponentMax) return cvt_f16_f32(x);
  const uint32_t sign = x >> 16 & f16::kSign;
  const int exponent = static_cast<int>(exponent_field<f32>(x)) - f32::kBias;
  if (exponent > f16::kBias) return sign | (f16::kInfinity - 1);
  const uint32_t significand = (x & f32::kFraction) | (f32::kFraction + 1);
  const int emin = 1 - f16::kBias;
  if (exponent >= emin)
    return sign | static_cast<uint32_t>(exponent + f16::kBias) << 10 | (significand >> 13 & f16::kFraction);
  const int drop = 13 + emin - exponent;  // FP32 subnormals, whose exponent reads -127, go too far to matter
  return drop > 23 ? sign : sign | significand >> drop;
}
constexpr uint32_t pack(uint32_t low, uint32_t high) { return low | high << 16; }
uint32_t pack_truncated(uint32_t a, uint32_t b) { return pack(truncated_to_f16(a), truncated_to_f16(b)); }
uint32_t pack_nearest(uint32_t a, uint32_t b) { return pack(cvt_f16_f32(a), cvt_f16_f32(b)); }

template <auto Function>
void pack_f16(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  lane_row buffers[2], out;
  const uint32_t *a = read_f32(w, i, 1, buffers[0]), *b = read_f32(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = Function(a[l], b[l]);
  write_lanes(w, i, 0, out);
}
// Halves as they are; op_sel chooses those of the sources.
void pack_halves(wave& w, const instruction& i) {
  refuse_output_modifiers(w, i);
  if (i.mod.op_sel > 3) fail(w, i, "not modelled", "op_sel of a destination that is written whole");
  lane_row buffers[2], out;
  const uint32_t *a = read_f16(w, i, 1, buffers[0]), *b = read_f16(w, i, 2, buffers[1]);
  for (unsigned l = 0; l < kLanes; ++l) out[l] = pack(a[l], b[l]);
  write_lanes(w, i, 0, out);
}

constexpr uint32_t kSingle = kFloatModifiers | kSdwaDpp;

constexpr opcode kOpcodes[] = {
    {"v_cvt_f32_i32", "D1 s1", integer_to_f32<signed_to_f32>, kSingle, certainty::manual},
    {"v_cvt_f32_u32", "D1 s1", integer_to_f32<unsigned_to_f32>, kSingle, certainty::manual},
    {"v_cvt_f32_ubyte0", "D1 s1", integer_to_f32<byte_to_f32<0>>, kSingle, certainty::manual},
    {"v_cvt_f32_ubyte1", "D1 s1", integer_to_f32<byte_to_f32<1>>, kSingle, certainty::manual},
    {"v_cvt_f32_ubyte2", "D1 s1", integer_to_f32<byte_to_f32<2>>, kSingle, certainty::manual},
    {"v_cvt_f32_ubyte3", "D1 s1", integer_to_f32<byte_to_f32<3>>, kSingle, certainty::manual},
    {"v_cvt_f64_i32", "D2 s1", integer_to_f64<signed_to_f64>, kFloatModifiers, certainty::manual},
    {"v_cvt_f64_u32", "D2 s1", integer_to_f64<unsigned_to_f64>, kFloatModifiers, certainty::manual},
    {"v_cvt_f16_i16", "D1 s1", integer_to_f16<signed_to_f16>, kSingle, certainty::manual},
    {"v_cvt_f16_u16", "D1 s1", integer_to_f16<unsigned_to_f16>, kSingle, certainty::manual},
    {"v_cvt_i32_f32", "D1 s1", float_to_integer<f32, to_i32<uint32_t>>, kSingle, certainty::manual},
    {"v_cvt_u32_f32", "D1 s1", float_to_integer<f32, to_u32<uint32_t>>, kSingle, certainty::manual},
    {"v_cvt_i32_f64", "D1 s2", float_to_integer<f64, to_i32<uint64_t>>, kFloatModifiers, certainty::manual},
    {"v_cvt_u32_f64", "D1 s2", float_to_integer<f64, to_u32<uint64_t>>, kFloatModifiers, certainty::manual},
    {"v_cvt_i16_f16", "D1 s1", float_to_integer<f16, f16_to_i16>, kSingle, certainty::manual},
    {"v_cvt_u16_f16", "D1 s1", float_to_integer<f16, f16_to_u16>, kSingle, certainty::manual},
    {"v_cvt_flr_i32_f32", "D1 s1", float_to_integer<f32, floor_to_i32>, kSingle, certainty::manual},
    {"v_cvt_rpi_i32_f32", "D1 s1", float_to_integer<f32, nearest_up_to_i32>, kSingle, certainty::manual},
    {"v_cvt_f64_f32", "D2 s1", f32_to_f64, kFloatModifiers, certainty::inferred},
    {"v_cvt_f32_f64", "D1 s2", f64_to_f32, kFloatModifiers, certainty::inferred},
    {"v_cvt_f16_f32", "D1 s1", f32_to_f16, kSingle, certainty::inferred},
    {"v_cvt_f32_f16", "D1 s1", f16_to_f32, kSingle, certainty::inferred},
    {"v_cvt_f32_bf16", "D1 s1", bf16_to_f32, kSingle, certainty::inferred},
    {"v_cvt_pkrtz_f16_f32", "D1 s1 s1", pack_f16<pack_truncated>, kFloatModifiers, certainty::inferred},
    {"v_cvt_pk_f16_f32", "D1 s1 s1", pack_f16<pack_nearest>, kFloatModifiers, certainty::inferred},
    {"v_pack_b32_f16", "D1 s1 s1", pack_halves, kFloatModifiers | kOpSel, certainty::manual},
};

}  // namespace

std::span<const opcode> conversion_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
