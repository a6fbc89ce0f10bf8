// FP16 arithmetic, minimum and maximum, one value or two halves, from the ISA manual's pseudocode. One value is the low half
// of a register and clears the upper one; of instructions with three sources op_sel chooses halves, and the other half of the
// destination is kept (as LLVM counts on for gfx9).
#include "sim/float_arithmetic.h"
#include "sim/float_lanes.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t subtract(uint32_t a, uint32_t b) {
  if (is_nan<f16>(a) || is_nan<f16>(b)) return nan_result<f16>(a, b);
  return add_f16(a, b ^ f16::kSign);
}
constexpr uint32_t subtract_reversed(uint32_t a, uint32_t b) {
  if (is_nan<f16>(a) || is_nan<f16>(b)) return nan_result<f16>(a, b);
  return add_f16(b, a ^ f16::kSign);
}
constexpr uint32_t add(uint32_t a, uint32_t b) { return add_f16(a, b); }
constexpr uint32_t multiply(uint32_t a, uint32_t b) { return mul_f16(a, b); }
constexpr uint32_t fused(uint32_t a, uint32_t b, uint32_t c) { return fused_multiply_add_f16(a, b, c); }
constexpr uint32_t minimum_of_three(uint32_t a, uint32_t b, uint32_t c) {
  return minimum_number<f16>(minimum_number<f16>(a, b), c);
}
constexpr uint32_t maximum_of_three(uint32_t a, uint32_t b, uint32_t c) {
  return maximum_number<f16>(maximum_number<f16>(a, b), c);
}
constexpr uint32_t ieee_minimum_of_three(uint32_t a, uint32_t b, uint32_t c) { return minimum<f16>(minimum<f16>(a, b), c); }
constexpr uint32_t ieee_maximum_of_three(uint32_t a, uint32_t b, uint32_t c) { return maximum<f16>(maximum<f16>(a, b), c); }

// V_DIV_FIXUP_F16 of the quotient, the denominator and the numerator.
constexpr uint32_t fix_quotient(uint32_t quotient, uint32_t denominator, uint32_t numerator) {
  if (is_nan<f16>(numerator)) return quiet<f16>(numerator);
  if (is_nan<f16>(denominator)) return quiet<f16>(denominator);
  const uint32_t sign = (denominator ^ numerator) & f16::kSign;
  const uint32_t d = magnitude<f16>(denominator), n = magnitude<f16>(numerator);
  if ((d == 0 && n == 0) || (d == f16::kInfinity && n == f16::kInfinity)) return f16::kSign | f16::kInvalid;
  if (d == 0 || n == f16::kInfinity) return sign | f16::kInfinity;
  if (d == f16::kInfinity || n == 0) return sign;
  return sign | magnitude<f16>(quotient);
}

// Three sources, each and the destination a half that op_sel chooses; the other half of the destination is kept.
template <auto Function>
void half_of_three(wave& w, const instruction& i) {
  refuse_output_modifier(w, i);
  lane_row buffers[3], out;
  const uint32_t* s[3];
  for (unsigned n = 0; n < 3; ++n) s[n] = read_f16(w, i, n + 1, buffers[n]);
  const unsigned shift = (i.mod.op_sel >> 3 & 1u) != 0 ? 16 : 0;
  const uint32_t* old = w.vgpr[i.operands[0].reg];
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t r = Function(s[0][l], s[1][l], s[2][l]);
    if (i.mod.clamp) r = clamp_to_unit<f16>(r);
    out[l] = (old[l] & ~(0xFFFFu << shift)) | r << shift;
  }
  write_lanes(w, i, 0, out);
}

// The halves of packed source n: op_sel chooses the half for the low result, op_sel_hi for the high one, neg_lo and neg_hi
// negate them.
struct packed_source {
  lane_row buffer;
  const uint32_t* values;
  unsigned shift[2];
  uint32_t flip[2];

  packed_source(const wave& w, const instruction& i, unsigned n)
      : shift{half_shift(i.mod.op_sel, n), half_shift(i.mod.op_sel_hi, n)},
        flip{sign_flip(i.mod.neg_lo, n), sign_flip(i.mod.neg_hi, n)} {
    // A constant is FP16 in the low half, the high half is 0. [LLVM's; it always asks for the low half]
    const bool constant = i.operands[n].kind == operand_kind::constant;
    values = constant ? read_f16(w, i, n, buffer) : read_lanes(w, i, n, buffer);
  }
  packed_source(const packed_source&) = delete;
  packed_source& operator=(const packed_source&) = delete;
  uint32_t half(unsigned l, unsigned which) const { return (values[l] >> shift[which] & 0xFFFFu) ^ flip[which]; }

  static unsigned half_shift(unsigned bits, unsigned n) { return (bits >> (n - 1) & 1u) * 16u; }
  static uint32_t sign_flip(unsigned bits, unsigned n) { return (bits >> (n - 1) & 1u) != 0 ? f16::kSign : 0u; }
};

template <auto Function, unsigned Count>
void packed(wave& w, const instruction& i) {
  lane_row out;
  const auto each = [&](auto result) {
    for (unsigned l = 0; l < kLanes; ++l) {
      uint32_t low = result(l, 0u), high = result(l, 1u);
      if (i.mod.clamp) low = clamp_to_unit<f16>(low), high = clamp_to_unit<f16>(high);
      out[l] = low | high << 16;
    }
  };
  const packed_source a(w, i, 1), b(w, i, 2);
  if constexpr (Count == 2) {
    each([&](unsigned l, unsigned h) { return Function(a.half(l, h), b.half(l, h)); });
  } else {
    const packed_source c(w, i, 3);
    each([&](unsigned l, unsigned h) { return Function(a.half(l, h), b.half(l, h), c.half(l, h)); });
  }
  write_lanes(w, i, 0, out);
}

constexpr uint32_t kSingle = kFloatModifiers | kSdwaDpp;
constexpr uint32_t kHalves = kFloatModifiers | kOpSel | kKeepsRest;
constexpr uint32_t kPacked = kVop3p | kClamp;

constexpr opcode kOpcodes[] = {
    {"v_add_f16", "D1 s1 s1", per_lane_float<f16, add, 1, 2>, kSingle, certainty::inferred},
    {"v_sub_f16", "D1 s1 s1", per_lane_float<f16, subtract, 1, 2>, kSingle, certainty::inferred},
    {"v_subrev_f16", "D1 s1 s1", per_lane_float<f16, subtract_reversed, 1, 2>, kSingle, certainty::inferred},
    {"v_mul_f16", "D1 s1 s1", per_lane_float<f16, multiply, 1, 2>, kSingle, certainty::inferred},
    {"v_min_f16", "D1 s1 s1", per_lane_float<f16, minimum_number<f16>, 1, 2>, kSingle, certainty::manual},
    {"v_max_f16", "D1 s1 s1", per_lane_float<f16, maximum_number<f16>, 1, 2>, kSingle, certainty::manual},
    {"v_fma_f16", "D1 s1 s1 s1", half_of_three<fused>, kHalves, certainty::inferred},
    {"v_min3_f16", "D1 s1 s1 s1", half_of_three<minimum_of_three>, kHalves, certainty::manual},
    {"v_max3_f16", "D1 s1 s1 s1", half_of_three<maximum_of_three>, kHalves, certainty::manual},
    {"v_med3_f16", "D1 s1 s1 s1", half_of_three<median<f16>>, kHalves, certainty::manual},
    {"v_div_fixup_f16", "D1 s1 s1 s1", half_of_three<fix_quotient>, kHalves, certainty::manual},
    {"v_pk_add_f16", "D1 s1 s1", packed<add, 2>, kPacked, certainty::inferred},
    {"v_pk_mul_f16", "D1 s1 s1", packed<multiply, 2>, kPacked, certainty::inferred},
    {"v_pk_fma_f16", "D1 s1 s1 s1", packed<fused, 3>, kPacked, certainty::inferred},
    {"v_pk_min_f16", "D1 s1 s1", packed<minimum_number<f16>, 2>, kPacked, certainty::manual},
    {"v_pk_max_f16", "D1 s1 s1", packed<maximum_number<f16>, 2>, kPacked, certainty::manual},
    {"v_pk_minimum3_f16", "D1 s1 s1 s1", packed<ieee_minimum_of_three, 3>, kPacked, certainty::manual},
    {"v_pk_maximum3_f16", "D1 s1 s1 s1", packed<ieee_maximum_of_three, 3>, kPacked, certainty::manual},
};

}  // namespace

std::span<const opcode> float_f16_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
