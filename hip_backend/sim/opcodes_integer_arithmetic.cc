// Vector 32 and 64 bit sums, products and extremes, from the ISA manual's pseudocode of VOP2 and VOP3. clamp saturates
// to the range of the result's type (the manual's chapter on integer clamping).
#include "sim/integer_rules.h"
#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;

constexpr u32 add(u32 a, u32 b) { return a + b; }
constexpr u32 sub(u32 a, u32 b) { return a - b; }
constexpr u32 subrev(u32 a, u32 b) { return b - a; }
constexpr u32 add_u32_saturating(u32 a, u32 b) { return a + b < a ? ~u32{0} : a + b; }
constexpr u32 sub_u32_saturating(u32 a, u32 b) { return a < b ? 0 : a - b; }
constexpr u32 subrev_u32_saturating(u32 a, u32 b) { return sub_u32_saturating(b, a); }
constexpr i32 add_i32_saturating(i32 a, i32 b) { return saturated<i32>(i64{a} + b); }
constexpr i32 sub_i32_saturating(i32 a, i32 b) { return saturated<i32>(i64{a} - b); }

template <auto Plain, auto Saturating, unsigned... Sources>
void with_clamp(wave& w, const instruction& i) {
  if (i.mod.clamp)
    per_lane<Saturating, Sources...>(w, i);
  else
    per_lane<Plain, Sources...>(w, i);
}

// A sum with its carry, or a difference with its borrow, in bit 32 and above.
constexpr u64 sum(u64 a, u64 b, u64 carry) { return a + b + carry; }
constexpr u64 difference(u64 a, u64 b, u64 borrow) { return a - b - borrow; }
constexpr u64 reversed_difference(u64 a, u64 b, u64 borrow) { return b - a - borrow; }

// Form "D1 M2 s1 s1", with a carry-in mask as fifth operand: "D1 M2 s1 s1 m2".
template <auto F, bool CarryIn>
void with_carry(wave& w, const instruction& i) {
  require_no_dpp_gaps(w, i);
  const source_row<u32> a(w, i, 2), b(w, i, 3);
  const u64 carry_in = CarryIn ? read_mask(w, i.operands[4]) : 0;
  lane_row out;
  uint8_t carries[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const u64 r = F(a[l], b[l], carry_in >> l & 1u);
    out[l] = static_cast<u32>(r);
    carries[l] = static_cast<uint8_t>(r >> 32 & 1u);
  }
  write_lanes(w, i, 0, out);
  write_mask(w, i.operands[1], packed_flags(carries));
}

constexpr u32 u24(u32 a) { return a & 0xFFFFFFu; }
constexpr i32 i24(u32 a) { return static_cast<i32>(a << 8) >> 8; }
constexpr u32 mul_lo(u32 a, u32 b) { return a * b; }
constexpr u32 mul_hi_u32(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
constexpr i32 mul_hi_i32(i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }
constexpr u32 mul_u24(u32 a, u32 b) { return u24(a) * u24(b); }
constexpr u32 mul_hi_u24(u32 a, u32 b) { return static_cast<u32>(u64{u24(a)} * u24(b) >> 32); }
constexpr u32 mul_i24(u32 a, u32 b) { return static_cast<u32>(i64{i24(a)} * i24(b)); }
constexpr i32 mul_hi_i24(u32 a, u32 b) { return static_cast<i32>(i64{i24(a)} * i24(b) >> 32); }
constexpr u32 mad_u24(u32 a, u32 b, u32 c) { return mul_u24(a, b) + c; }
constexpr u32 mad_i24(u32 a, u32 b, u32 c) { return mul_i24(a, b) + c; }
constexpr u32 mad_u32_u16(uint16_t a, uint16_t b, u32 c) { return u32{a} * b + c; }
constexpr u32 mad_i32_i16(int16_t a, int16_t b, u32 c) { return static_cast<u32>(i32{a} * b) + c; }

template <auto F>
void mad_of_halves(wave& w, const instruction& i) {
  if ((i.mod.op_sel & ~3u) != 0) fail(w, i, "not modelled", "op_sel of an operand of 32 bits");
  per_lane<F, 1, 2, 3>(w, i);
}

// {D1, D0} = s0 * s1 + s2 in 65 bits: the carry is bit 64 of the unsigned sum; of the signed one, its sign.
void mad_u64_u32(wave& w, const instruction& i) {
  const source_row<u32> a(w, i, 2), b(w, i, 3);
  const source_row<u64> c(w, i, 4);
  lane_pairs out;
  uint8_t carries[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const u64 product = u64{a[l]} * b[l];
    out[l] = product + c[l];
    carries[l] = out[l] < product;
  }
  write_lanes64(w, i, 0, out);
  write_mask(w, i.operands[1], packed_flags(carries));
}
void mad_i64_i32(wave& w, const instruction& i) {
  const source_row<i32> a(w, i, 2), b(w, i, 3);
  const source_row<i64> c(w, i, 4);
  lane_pairs out;
  uint8_t signs[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const i64 product = i64{a[l]} * b[l], addend = c[l];
    out[l] = static_cast<u64>(product) + static_cast<u64>(addend);
    // A sum of unlike signs fits in 64 bits; one of like signs has theirs.
    signs[l] = (product < 0) != (addend < 0) ? static_cast<uint8_t>(out[l] >> 63) : product < 0;
  }
  write_lanes64(w, i, 0, out);
  write_mask(w, i.operands[1], packed_flags(signs));
}

constexpr u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
constexpr u32 xad(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
constexpr u32 lshl_add(u32 a, u32 b, u32 c) { return (a << (b & 31u)) + c; }
constexpr u32 add_lshl(u32 a, u32 b, u32 c) { return (a + b) << (c & 31u); }
constexpr u64 lshl_add_u64(u64 a, u32 b, u64 c) { return (a << (b & 7u)) + c; }

// Reviewers of AMD's emulator say that a shift above 4 acts as 0, which the pseudocode does not.
void shift_add64(wave& w, const instruction& i) {
  const source_row<u32> shift(w, i, 2);
  const bool uniform = i.operands[2].kind != operand_kind::vector;
  const uint64_t exec = w.exec();
  for (unsigned l = 0; l < (uniform ? 1 : kLanes); ++l)
    if ((shift[l] & 7u) > 4 && (uniform || (exec >> l & 1u) != 0))
      fail(w, i, "not modelled", "v_lshl_add_u64 by more than 4", uniform ? -1 : static_cast<int>(l));
  if (!uniform) {
    per_lane<lshl_add_u64, 1, 2, 3>(w, i);
    return;
  }
  const source_row<u64> a(w, i, 1), c(w, i, 3);
  const u32 by = shift[0] & 7u;
  lane_pairs out;
  for (unsigned l = 0; l < kLanes; ++l) out[l] = (a[l] << by) + c[l];
  write_lanes64(w, i, 0, out);
}

constexpr opcode kOpcodes[] = {
    {"v_add_u32", "D1 s1 s1", with_clamp<add, add_u32_saturating, 1, 2>, kSdwaDpp | kClamp, certainty::manual},
    {"v_sub_u32", "D1 s1 s1", with_clamp<sub, sub_u32_saturating, 1, 2>, kSdwaDpp | kClamp, certainty::manual},
    {"v_subrev_u32", "D1 s1 s1", with_clamp<subrev, subrev_u32_saturating, 1, 2>, kSdwaDpp | kClamp, certainty::manual},
    {"v_add_i32", "D1 s1 s1", with_clamp<add, add_i32_saturating, 1, 2>, kClamp, certainty::manual},
    {"v_sub_i32", "D1 s1 s1", with_clamp<sub, sub_i32_saturating, 1, 2>, kClamp, certainty::manual},
    {"v_add_co_u32", "D1 M2 s1 s1", with_carry<sum, false>, kSdwaDpp, certainty::manual},
    {"v_sub_co_u32", "D1 M2 s1 s1", with_carry<difference, false>, kSdwaDpp, certainty::manual},
    {"v_subrev_co_u32", "D1 M2 s1 s1", with_carry<reversed_difference, false>, kSdwaDpp, certainty::manual},
    {"v_addc_co_u32", "D1 M2 s1 s1 m2", with_carry<sum, true>, kSdwaDpp, certainty::manual},
    {"v_subb_co_u32", "D1 M2 s1 s1 m2", with_carry<difference, true>, kSdwaDpp, certainty::manual},
    {"v_subbrev_co_u32", "D1 M2 s1 s1 m2", with_carry<reversed_difference, true>, kSdwaDpp, certainty::manual},

    {"v_mul_lo_u32", "D1 s1 s1", per_lane<mul_lo, 1, 2>, kPlain, certainty::manual},
    {"v_mul_hi_u32", "D1 s1 s1", per_lane<mul_hi_u32, 1, 2>, kPlain, certainty::manual},
    {"v_mul_hi_i32", "D1 s1 s1", per_lane<mul_hi_i32, 1, 2>, kPlain, certainty::manual},
    {"v_mul_u32_u24", "D1 s1 s1", per_lane<mul_u24, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_mul_hi_u32_u24", "D1 s1 s1", per_lane<mul_hi_u24, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_mul_i32_i24", "D1 s1 s1", per_lane<mul_i24, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_mul_hi_i32_i24", "D1 s1 s1", per_lane<mul_hi_i24, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_mad_u32_u24", "D1 s1 s1 s1", per_lane<mad_u24, 1, 2, 3>, kPlain, certainty::manual},
    {"v_mad_i32_i24", "D1 s1 s1 s1", per_lane<mad_i24, 1, 2, 3>, kPlain, certainty::manual},
    {"v_mad_u32_u16", "D1 s1 s1 s1", mad_of_halves<mad_u32_u16>, kOpSel, certainty::manual},
    {"v_mad_i32_i16", "D1 s1 s1 s1", mad_of_halves<mad_i32_i16>, kOpSel, certainty::manual},
    {"v_mad_u64_u32", "D2 M2 s1 s1 s2", mad_u64_u32, kPlain, certainty::manual},
    {"v_mad_i64_i32", "D2 M2 s1 s1 s2", mad_i64_i32, kPlain, certainty::manual},

    {"v_min_i32", "D1 s1 s1", per_lane<min<i32>, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_max_i32", "D1 s1 s1", per_lane<max<i32>, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_min_u32", "D1 s1 s1", per_lane<min<u32>, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_max_u32", "D1 s1 s1", per_lane<max<u32>, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_min3_i32", "D1 s1 s1 s1", per_lane<min3<i32>, 1, 2, 3>, kPlain, certainty::manual},
    {"v_max3_i32", "D1 s1 s1 s1", per_lane<max3<i32>, 1, 2, 3>, kPlain, certainty::manual},
    {"v_med3_i32", "D1 s1 s1 s1", per_lane<med3<i32>, 1, 2, 3>, kPlain, certainty::manual},
    {"v_min3_u32", "D1 s1 s1 s1", per_lane<min3<u32>, 1, 2, 3>, kPlain, certainty::manual},
    {"v_max3_u32", "D1 s1 s1 s1", per_lane<max3<u32>, 1, 2, 3>, kPlain, certainty::manual},
    {"v_med3_u32", "D1 s1 s1 s1", per_lane<med3<u32>, 1, 2, 3>, kPlain, certainty::manual},

    {"v_add3_u32", "D1 s1 s1 s1", per_lane<add3, 1, 2, 3>, kPlain, certainty::manual},
    {"v_xad_u32", "D1 s1 s1 s1", per_lane<xad, 1, 2, 3>, kPlain, certainty::manual},
    {"v_lshl_add_u32", "D1 s1 s1 s1", per_lane<lshl_add, 1, 2, 3>, kPlain, certainty::manual},
    {"v_add_lshl_u32", "D1 s1 s1 s1", per_lane<add_lshl, 1, 2, 3>, kPlain, certainty::manual},
    {"v_lshl_add_u64", "D2 s2 s1 s2", shift_add64, kPlain, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_arithmetic_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
