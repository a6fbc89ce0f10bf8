// Operations on packed integers, from the ISA manual's pseudocode of VOP3P: two halves of 16 bits, and dot products. The low
// result takes the halves that op_sel names (0 low, 1 high), the high one those of op_sel_hi.
#include "sim/integer_rules.h"
#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;

void refuse_negation(const wave& w, const instruction& i) {
  if (i.mod.neg_lo != 0 || i.mod.neg_hi != 0) fail(w, i, "not modelled", "neg_lo or neg_hi of packed integers");
}

// A register source of which the low and the high result each take a half.
struct packed_source {
  packed_source(const wave& w, const instruction& i, unsigned n) {
    if (i.operands[n].kind == operand_kind::constant && i.operands[n].is_real)
      fail(w, i, "not modelled", "a constant written as a float in a packed integer operation");
    lanes = read_lanes(w, i, n, buffer);
    low_shift = (i.mod.op_sel >> (n - 1) & 1u) != 0 ? 16 : 0;
    high_shift = (i.mod.op_sel_hi >> (n - 1) & 1u) != 0 ? 16 : 0;
  }
  packed_source(const packed_source&) = delete;
  lane_row buffer;
  const uint32_t* lanes;
  unsigned low_shift, high_shift;
};

template <auto F, class R, class A, class B>
void packed_of(wave& w, const instruction& i, R (*)(A, B)) {
  const packed_source a(w, i, 1), b(w, i, 2);
  lane_row out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const R first = F(static_cast<A>(a.lanes[l] >> a.low_shift), static_cast<B>(b.lanes[l] >> b.low_shift));
    const R second = F(static_cast<A>(a.lanes[l] >> a.high_shift), static_cast<B>(b.lanes[l] >> b.high_shift));
    out[l] = widened<u16>(static_cast<u16>(first)) | widened<u16>(static_cast<u16>(second)) << 16;
  }
  write_lanes(w, i, 0, out);
}
template <auto F, class R, class A, class B, class C>
void packed_of(wave& w, const instruction& i, R (*)(A, B, C)) {
  const packed_source a(w, i, 1), b(w, i, 2), c(w, i, 3);
  lane_row out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const R first = F(static_cast<A>(a.lanes[l] >> a.low_shift), static_cast<B>(b.lanes[l] >> b.low_shift),
                      static_cast<C>(c.lanes[l] >> c.low_shift));
    const R second = F(static_cast<A>(a.lanes[l] >> a.high_shift), static_cast<B>(b.lanes[l] >> b.high_shift),
                       static_cast<C>(c.lanes[l] >> c.high_shift));
    out[l] = widened<u16>(static_cast<u16>(first)) | widened<u16>(static_cast<u16>(second)) << 16;
  }
  write_lanes(w, i, 0, out);
}

template <auto Plain, auto Saturating = Plain>
void packed(wave& w, const instruction& i) {
  refuse_negation(w, i);
  if (i.mod.clamp)
    packed_of<Saturating>(w, i, +Saturating);
  else
    packed_of<Plain>(w, i, +Plain);
}

// The sum of products of Bits wide fields, wrapped to 32 bits, plus the addend.
template <unsigned Bits, bool Signed>
constexpr u32 dot(u32 a, u32 b, u32 c) {
  constexpr unsigned kAbove = 32 - Bits;
  for (unsigned n = 0; n < 32; n += Bits) {
    const u32 x = a >> n << kAbove, y = b >> n << kAbove;
    if constexpr (Signed)
      c += static_cast<u32>((static_cast<i32>(x) >> kAbove) * (static_cast<i32>(y) >> kAbove));
    else
      c += (x >> kAbove) * (y >> kAbove);
  }
  return c;
}

template <unsigned Bits, bool Signed>
void dot_product(wave& w, const instruction& i) {
  refuse_negation(w, i);
  if (i.mod.op_sel != 0 || (i.mod.op_sel_hi & 7u) != 7u) fail(w, i, "not modelled", "op_sel of a dot product");
  per_lane<dot<Bits, Signed>, 1, 2, 3>(w, i);
}
// The destination is the addend.
template <unsigned Bits>
void dot_onto(wave& w, const instruction& i) {
  per_lane<dot<Bits, true>, 1, 2, 0>(w, i);
}

constexpr opcode kOpcodes[] = {
    {"v_pk_add_u16", "D1 s1 s1", packed<add_16, add_saturating<u16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_add_i16", "D1 s1 s1", packed<add_16, add_saturating<i16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_sub_u16", "D1 s1 s1", packed<sub_16, sub_saturating<u16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_sub_i16", "D1 s1 s1", packed<sub_16, sub_saturating<i16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_mul_lo_u16", "D1 s1 s1", packed<mul_lo_16>, kVop3p, certainty::manual},
    {"v_pk_mad_u16", "D1 s1 s1 s1", packed<mad_16, mad_saturating<u16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_mad_i16", "D1 s1 s1 s1", packed<mad_16, mad_saturating<i16>>, kVop3p | kClamp, certainty::manual},
    {"v_pk_lshlrev_b16", "D1 s1 s1", packed<lshlrev_16>, kVop3p, certainty::manual},
    {"v_pk_lshrrev_b16", "D1 s1 s1", packed<lshrrev_16>, kVop3p, certainty::manual},
    {"v_pk_ashrrev_i16", "D1 s1 s1", packed<ashrrev_16>, kVop3p, certainty::manual},
    {"v_pk_min_u16", "D1 s1 s1", packed<min<u16>>, kVop3p, certainty::manual},
    {"v_pk_min_i16", "D1 s1 s1", packed<min<i16>>, kVop3p, certainty::manual},
    {"v_pk_max_u16", "D1 s1 s1", packed<max<u16>>, kVop3p, certainty::manual},
    {"v_pk_max_i16", "D1 s1 s1", packed<max<i16>>, kVop3p, certainty::manual},

    {"v_dot2_i32_i16", "D1 s1 s1 s1", dot_product<16, true>, kVop3p, certainty::manual},
    {"v_dot2_u32_u16", "D1 s1 s1 s1", dot_product<16, false>, kVop3p, certainty::manual},
    {"v_dot4_i32_i8", "D1 s1 s1 s1", dot_product<8, true>, kVop3p, certainty::manual},
    {"v_dot4_u32_u8", "D1 s1 s1 s1", dot_product<8, false>, kVop3p, certainty::manual},
    {"v_dot8_i32_i4", "D1 s1 s1 s1", dot_product<4, true>, kVop3p, certainty::manual},
    {"v_dot8_u32_u4", "D1 s1 s1 s1", dot_product<4, false>, kVop3p, certainty::manual},
    {"v_dot2c_i32_i16", "X1 s1 s1", dot_onto<16>, kPlain, certainty::manual},
    {"v_dot4c_i32_i8", "X1 s1 s1", dot_onto<8>, kPlain, certainty::manual},
    {"v_dot8c_i32_i4", "X1 s1 s1", dot_onto<4>, kPlain, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_packed_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
