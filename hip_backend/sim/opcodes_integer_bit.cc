// Vector logic, shifts, bit fields, bit counts and bytes, from the ISA manual's pseudocode of VOP1, VOP2 and VOP3.
#include <bit>

#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;

constexpr u32 bit_not(u32 a) { return ~a; }
constexpr u32 bit_and(u32 a, u32 b) { return a & b; }
constexpr u32 bit_or(u32 a, u32 b) { return a | b; }
constexpr u32 bit_xor(u32 a, u32 b) { return a ^ b; }
constexpr u32 bit_xnor(u32 a, u32 b) { return ~(a ^ b); }
constexpr u32 and_or(u32 a, u32 b, u32 c) { return (a & b) | c; }
constexpr u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
constexpr u32 lshl_or(u32 a, u32 b, u32 c) { return (a << (b & 31u)) | c; }

// The count comes first: D = s1 shifted by s0.
constexpr u32 lshlrev(u32 a, u32 b) { return b << (a & 31u); }
constexpr u32 lshrrev(u32 a, u32 b) { return b >> (a & 31u); }
constexpr i32 ashrrev(u32 a, i32 b) { return b >> (a & 31u); }
constexpr u64 lshlrev64(u32 a, u64 b) { return b << (a & 63u); }
constexpr u64 lshrrev64(u32 a, u64 b) { return b >> (a & 63u); }
constexpr i64 ashrrev64(u32 a, i64 b) { return b >> (a & 63u); }

constexpr u32 low_mask(u32 bits) { return (1u << (bits & 31u)) - 1; }
constexpr u32 bfe_u32(u32 a, u32 b, u32 c) { return a >> (b & 31u) & low_mask(c); }
constexpr u32 bfe_i32(u32 a, u32 b, u32 c) {
  const u32 width = c & 31u, field = static_cast<u32>(static_cast<i32>(a) >> (b & 31u)) & low_mask(c);
  const u32 top = width == 0 ? 0 : 1u << (width - 1);
  return (field ^ top) - top;
}
constexpr u32 bfi(u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }
constexpr u32 bfm(u32 a, u32 b) { return low_mask(a) << (b & 31u); }

constexpr u32 bfrev(u32 a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0F0F0F0Fu) | (a & 0x0F0F0F0Fu) << 4;
  a = (a >> 8 & 0x00FF00FFu) | (a & 0x00FF00FFu) << 8;
  return a >> 16 | a << 16;
}
constexpr u32 bcnt(u32 a, u32 b) { return ones(a) + b; }
constexpr u32 kNotFound = ~u32{0};
constexpr u32 ffbh_u32(u32 a) { return a == 0 ? kNotFound : static_cast<u32>(std::countl_zero(a)); }
constexpr u32 ffbl_b32(u32 a) { return a == 0 ? kNotFound : static_cast<u32>(std::countr_zero(a)); }
constexpr u32 ffbh_i32(u32 a) { return ffbh_u32(static_cast<i32>(a) < 0 ? ~a : a); }

constexpr u32 alignbit(u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> (c & 31u)); }
constexpr u32 alignbyte(u32 a, u32 b, u32 c) { return static_cast<u32>((u64{a} << 32 | b) >> 8 * (c & 3u)); }

// Selectors 0-7 pick a byte of {s0, s1}, 8-11 the sign of byte 1, 3, 5 or 7, 12 is 0x00, above 0xff.
constexpr u32 permuted_byte(u64 bytes, u32 selector) {
  if (selector >= 13) return 0xFF;
  if (selector == 12) return 0x00;
  if (selector >= 8) return (bytes >> (16 * (selector - 8) + 15) & 1u) != 0 ? 0xFF : 0x00;
  return static_cast<u32>(bytes >> 8 * selector & 0xFFu);
}
constexpr u32 perm(u32 a, u32 b, u32 c) {
  const u64 bytes = u64{a} << 32 | b;
  u32 r = 0;
  for (unsigned n = 0; n < 4; ++n) r |= permuted_byte(bytes, c >> 8 * n & 0xFFu) << 8 * n;
  return r;
}

constexpr u32 byte_of(u32 a, unsigned n) { return a >> 8 * n & 0xFFu; }
constexpr u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
constexpr u32 sad_u8(u32 a, u32 b, u32 c) {
  for (unsigned n = 0; n < 4; ++n) c += distance(byte_of(a, n), byte_of(b, n));
  return c;
}
constexpr u32 sad_hi_u8(u32 a, u32 b, u32 c) { return (sad_u8(a, b, 0) << 16) + c; }
constexpr u32 msad_u8(u32 a, u32 b, u32 c) {
  for (unsigned n = 0; n < 4; ++n)
    if (byte_of(b, n) != 0) c += distance(byte_of(a, n), byte_of(b, n));
  return c;
}
constexpr u32 sad_u16(u32 a, u32 b, u32 c) { return distance(a & 0xFFFFu, b & 0xFFFFu) + distance(a >> 16, b >> 16) + c; }
constexpr u32 sad_u32(u32 a, u32 b, u32 c) { return distance(a, b) + c; }
// The mean of each byte pair, rounded up where bit 0 of the byte of c is set.
constexpr u32 lerp_u8(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (unsigned n = 0; n < 4; ++n) r |= (byte_of(a, n) + byte_of(b, n) + (byte_of(c, n) & 1u)) >> 1 << 8 * n;
  return r;
}

// Bit t of the table is the result where the bits of s0, s1, s2 are the digits of t, s0 first: a tree of choices.
void bitop3(wave& w, const instruction& i) {
  const source_row<u32> a(w, i, 1), b(w, i, 2), c(w, i, 3);
  u32 table[8];
  for (unsigned t = 0; t < 8; ++t) table[t] = 0u - (i.mod.bitop3 >> t & 1u);
  const auto choose = [](u32 select, u32 zero, u32 one) { return zero ^ (select & (zero ^ one)); };
  lane_row out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const u32 x = a[l], y = b[l], z = c[l];
    const u32 without = choose(y, choose(z, table[0], table[1]), choose(z, table[2], table[3]));
    const u32 with = choose(y, choose(z, table[4], table[5]), choose(z, table[6], table[7]));
    out[l] = choose(x, without, with);
  }
  write_lanes(w, i, 0, out);
}

constexpr opcode kOpcodes[] = {
    {"v_not_b32", "D1 s1", per_lane<bit_not, 1>, kSdwaDpp, certainty::manual},
    {"v_and_b32", "D1 s1 s1", per_lane<bit_and, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_or_b32", "D1 s1 s1", per_lane<bit_or, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_xor_b32", "D1 s1 s1", per_lane<bit_xor, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_xnor_b32", "D1 s1 s1", per_lane<bit_xnor, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_and_or_b32", "D1 s1 s1 s1", per_lane<and_or, 1, 2, 3>, kPlain, certainty::manual},
    {"v_or3_b32", "D1 s1 s1 s1", per_lane<or3, 1, 2, 3>, kPlain, certainty::manual},
    {"v_lshl_or_b32", "D1 s1 s1 s1", per_lane<lshl_or, 1, 2, 3>, kPlain, certainty::manual},
    {"v_bitop3_b32", "D1 s1 s1 s1", bitop3, kBitop, certainty::manual},

    {"v_lshlrev_b32", "D1 s1 s1", per_lane<lshlrev, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_lshrrev_b32", "D1 s1 s1", per_lane<lshrrev, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_ashrrev_i32", "D1 s1 s1", per_lane<ashrrev, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_lshlrev_b64", "D2 s1 s2", per_lane<lshlrev64, 1, 2>, kPlain, certainty::manual},
    {"v_lshrrev_b64", "D2 s1 s2", per_lane<lshrrev64, 1, 2>, kPlain, certainty::manual},
    {"v_ashrrev_i64", "D2 s1 s2", per_lane<ashrrev64, 1, 2>, kPlain, certainty::manual},

    {"v_bfe_u32", "D1 s1 s1 s1", per_lane<bfe_u32, 1, 2, 3>, kPlain, certainty::manual},
    {"v_bfe_i32", "D1 s1 s1 s1", per_lane<bfe_i32, 1, 2, 3>, kPlain, certainty::manual},
    {"v_bfi_b32", "D1 s1 s1 s1", per_lane<bfi, 1, 2, 3>, kPlain, certainty::manual},
    {"v_bfm_b32", "D1 s1 s1", per_lane<bfm, 1, 2>, kPlain, certainty::manual},
    {"v_bfrev_b32", "D1 s1", per_lane<bfrev, 1>, kSdwaDpp, certainty::manual},
    {"v_bcnt_u32_b32", "D1 s1 s1", per_lane<bcnt, 1, 2>, kPlain, certainty::manual},
    {"v_ffbh_u32", "D1 s1", per_lane<ffbh_u32, 1>, kSdwaDpp, certainty::manual},
    {"v_ffbl_b32", "D1 s1", per_lane<ffbl_b32, 1>, kSdwaDpp, certainty::manual},
    {"v_ffbh_i32", "D1 s1", per_lane<ffbh_i32, 1>, kSdwaDpp, certainty::manual},

    {"v_alignbit_b32", "D1 s1 s1 s1", per_lane<alignbit, 1, 2, 3>, kPlain, certainty::manual},
    {"v_alignbyte_b32", "D1 s1 s1 s1", per_lane<alignbyte, 1, 2, 3>, kPlain, certainty::manual},
    {"v_perm_b32", "D1 s1 s1 s1", per_lane<perm, 1, 2, 3>, kPlain, certainty::manual},
    {"v_sad_u8", "D1 s1 s1 s1", per_lane<sad_u8, 1, 2, 3>, kPlain, certainty::manual},
    {"v_sad_hi_u8", "D1 s1 s1 s1", per_lane<sad_hi_u8, 1, 2, 3>, kPlain, certainty::manual},
    {"v_msad_u8", "D1 s1 s1 s1", per_lane<msad_u8, 1, 2, 3>, kPlain, certainty::manual},
    {"v_sad_u16", "D1 s1 s1 s1", per_lane<sad_u16, 1, 2, 3>, kPlain, certainty::manual},
    {"v_sad_u32", "D1 s1 s1 s1", per_lane<sad_u32, 1, 2, 3>, kPlain, certainty::manual},
    {"v_lerp_u8", "D1 s1 s1 s1", per_lane<lerp_u8, 1, 2, 3>, kPlain, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_bit_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
