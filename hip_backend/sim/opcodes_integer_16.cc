// Vector operations with 16-bit results, from the ISA manual's pseudocode of VOP2 and VOP3. What becomes of the other half
// of the register the pseudocode mostly leaves open: the instructions of VOP2 and the legacy ones zero it, those that only
// VOP3 has keep it, by the list that AMD's compiler relies on (LLVM, zeroesHigh16BitsOfDest).
#include <algorithm>

#include "sim/integer_rules.h"
#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;

constexpr u16 subrev(u16 a, u16 b) { return sub_16(b, a); }
constexpr u16 subrev_saturating(u16 a, u16 b) { return sub_saturating<u16>(b, a); }

template <auto Plain, auto Saturating, unsigned... Sources>
void zeroing(wave& w, const instruction& i) {
  if (i.mod.clamp)
    per_lane<Saturating, Sources...>(w, i);
  else
    per_lane<Plain, Sources...>(w, i);
}
template <auto Plain, auto Saturating, unsigned... Sources>
void keeping(wave& w, const instruction& i) {
  if (i.mod.clamp)
    per_half<Saturating, Sources...>(w, i);
  else
    per_half<Plain, Sources...>(w, i);
}

// Bit t of the table is the result where the bits of s0, s1, s2 are the digits of t, s0 first.
void bitop3(wave& w, const instruction& i) {
  const source_row<u16> a(w, i, 1), b(w, i, 2), c(w, i, 3);
  lane_row out = {};
  for (unsigned t = 0; t < 8; ++t) {
    if ((i.mod.bitop3 >> t & 1u) == 0) continue;
    const u32 flip_a = (t & 4u) != 0 ? 0 : 0xFFFFu, flip_b = (t & 2u) != 0 ? 0 : 0xFFFFu, flip_c = (t & 1u) != 0 ? 0 : 0xFFFFu;
    for (unsigned l = 0; l < kLanes; ++l) out[l] |= (a[l] ^ flip_a) & (b[l] ^ flip_b) & (c[l] ^ flip_c);
  }
  write_half(w, i, 0, 3, out);
}

// Two shifted sources saturated to T, the first in the low byte; to the half that op_sel[3] names.
template <class T>
constexpr u16 shifted_bytes(i32 a, i32 b, u32 c) {
  const auto byte = [](i32 v) { return static_cast<u32>(static_cast<uint8_t>(saturated<T>(v))); };
  return low_half(byte(a >> (c & 31u)) | byte(b >> (c & 31u)) << 8);
}
template <class T>
void shift_and_pack(wave& w, const instruction& i) {
  if ((i.mod.op_sel & 7u) != 0) fail(w, i, "not modelled", "op_sel of a source of 32 bits");
  per_half<shifted_bytes<T>, 1, 2, 3>(w, i);
}

constexpr u32 halves(u32 a, u32 b) { return (a & 0xFFFFu) | b << 16; }
constexpr u32 pack_u16(u32 a, u32 b) { return halves(std::min(a, 0xFFFFu), std::min(b, 0xFFFFu)); }
constexpr u32 pack_i16(i32 a, i32 b) {
  return halves(static_cast<u32>(saturated<i16>(a)), static_cast<u32>(saturated<i16>(b)));
}

constexpr uint32_t kOpSelKeeps = kOpSel | kKeepsRest;

constexpr opcode kOpcodes[] = {
    {"v_add_u16", "D1 s1 s1", zeroing<add_16, add_saturating<u16>, 1, 2>, kSdwaDpp | kClamp, certainty::model},
    {"v_sub_u16", "D1 s1 s1", zeroing<sub_16, sub_saturating<u16>, 1, 2>, kSdwaDpp | kClamp, certainty::model},
    {"v_subrev_u16", "D1 s1 s1", zeroing<subrev, subrev_saturating, 1, 2>, kSdwaDpp | kClamp, certainty::model},
    {"v_mul_lo_u16", "D1 s1 s1", per_lane<mul_lo_16, 1, 2>, kSdwaDpp, certainty::model},
    {"v_lshlrev_b16", "D1 s1 s1", per_lane<lshlrev_16, 1, 2>, kSdwaDpp, certainty::model},
    {"v_lshrrev_b16", "D1 s1 s1", per_lane<lshrrev_16, 1, 2>, kSdwaDpp, certainty::model},
    {"v_ashrrev_i16", "D1 s1 s1", per_lane<ashrrev_16, 1, 2>, kSdwaDpp, certainty::model},
    {"v_max_u16", "D1 s1 s1", per_lane<max<u16>, 1, 2>, kSdwaDpp, certainty::model},
    {"v_max_i16", "D1 s1 s1", per_lane<max<i16>, 1, 2>, kSdwaDpp, certainty::model},
    {"v_min_u16", "D1 s1 s1", per_lane<min<u16>, 1, 2>, kSdwaDpp, certainty::model},
    {"v_min_i16", "D1 s1 s1", per_lane<min<i16>, 1, 2>, kSdwaDpp, certainty::model},
    {"v_mad_legacy_u16", "D1 s1 s1 s1", zeroing<mad_16, mad_saturating<u16>, 1, 2, 3>, kClamp, certainty::manual},
    {"v_mad_legacy_i16", "D1 s1 s1 s1", zeroing<mad_16, mad_saturating<i16>, 1, 2, 3>, kClamp, certainty::manual},

    {"v_add_i16", "D1 s1 s1", keeping<add_16, add_saturating<i16>, 1, 2>, kOpSelKeeps | kClamp, certainty::model},
    {"v_sub_i16", "D1 s1 s1", keeping<sub_16, sub_saturating<i16>, 1, 2>, kOpSelKeeps | kClamp, certainty::model},
    {"v_mad_u16", "D1 s1 s1 s1", keeping<mad_16, mad_saturating<u16>, 1, 2, 3>, kOpSelKeeps | kClamp, certainty::model},
    {"v_mad_i16", "D1 s1 s1 s1", keeping<mad_16, mad_saturating<i16>, 1, 2, 3>, kOpSelKeeps | kClamp, certainty::model},
    {"v_min3_u16", "D1 s1 s1 s1", per_half<min3<u16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_min3_i16", "D1 s1 s1 s1", per_half<min3<i16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_max3_u16", "D1 s1 s1 s1", per_half<max3<u16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_max3_i16", "D1 s1 s1 s1", per_half<max3<i16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_med3_u16", "D1 s1 s1 s1", per_half<med3<u16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_med3_i16", "D1 s1 s1 s1", per_half<med3<i16>, 1, 2, 3>, kOpSelKeeps, certainty::model},
    {"v_bitop3_b16", "D1 s1 s1 s1", bitop3, kOpSelKeeps | kBitop, certainty::model},
    {"v_ashr_pk_i8_i32", "D1 s1 s1 s1", shift_and_pack<int8_t>, kOpSelKeeps, certainty::model},
    {"v_ashr_pk_u8_i32", "D1 s1 s1 s1", shift_and_pack<uint8_t>, kOpSelKeeps, certainty::model},
    {"v_cvt_pk_u16_u32", "D1 s1 s1", per_lane<pack_u16, 1, 2>, kPlain, certainty::model},
    {"v_cvt_pk_i16_i32", "D1 s1 s1", per_lane<pack_i16, 1, 2>, kPlain, certainty::model},
};

}  // namespace

std::span<const opcode> integer_16_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
