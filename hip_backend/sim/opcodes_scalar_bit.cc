// Scalar logic, shifts, bit fields and counts, and the operations on EXEC, from the ISA manual's pseudocode of SOP1 and SOP2.
#include <bit>

#include "sim/opcode.h"
#include "sim/scalar.h"

namespace adahop::hip::sim {
namespace {

template <class T> constexpr T bit_and(T a, T b) { return a & b; }
template <class T> constexpr T bit_or(T a, T b) { return a | b; }
template <class T> constexpr T bit_xor(T a, T b) { return a ^ b; }
template <class T> constexpr T bit_andn2(T a, T b) { return a & ~b; }
template <class T> constexpr T bit_orn2(T a, T b) { return a | ~b; }
template <class T> constexpr T bit_nand(T a, T b) { return ~(a & b); }
template <class T> constexpr T bit_nor(T a, T b) { return ~(a | b); }
template <class T> constexpr T bit_xnor(T a, T b) { return ~(a ^ b); }
template <class T> constexpr T bit_andn1(T a, T b) { return ~a & b; }
template <class T> constexpr T bit_orn1(T a, T b) { return ~a | b; }
template <class T> constexpr T bit_not(T a) { return ~a; }

// Of a shift count only the bits count that reach the width.
template <class T> constexpr unsigned shift_count(uint32_t b) { return b & (8 * sizeof(T) - 1); }
template <class T> constexpr T shift_left(T a, uint32_t b) { return a << shift_count<T>(b); }
template <class T> constexpr T shift_right(T a, uint32_t b) { return a >> shift_count<T>(b); }

template <class T> constexpr T mask_of(unsigned bits) {
  return bits >= 8 * sizeof(T) ? ~T{0} : static_cast<T>((T{1} << bits) - 1);
}
template <class T> constexpr T field_mask(uint32_t a, uint32_t b) {
  return mask_of<T>(shift_count<T>(a)) << shift_count<T>(b);
}
// The second source holds the offset and, in bits 22:16, the width; a width beyond the register takes all that is left.
template <class T> constexpr T extract(T a, uint32_t field) {
  return (a >> shift_count<T>(field)) & mask_of<T>(field >> 16 & 0x7Fu);
}
template <class T> constexpr T extract_signed(T a, uint32_t field) {
  using signed_t = std::make_signed_t<T>;
  const unsigned width = field >> 16 & 0x7Fu;
  const T bits = static_cast<T>(static_cast<signed_t>(a) >> shift_count<T>(field)) & mask_of<T>(width);
  if (width == 0 || width >= 8 * sizeof(T)) return bits;
  const T top = T{1} << (width - 1);
  return (bits ^ top) - top;
}

template <class T> constexpr T reversed(T a) {
  T r = 0;
  for (unsigned n = 0; n < 8 * sizeof(T); ++n) r |= (a >> n & 1u) << (8 * sizeof(T) - 1 - n);
  return r;
}
template <class T> constexpr uint32_t count_zeros(T a) { return static_cast<uint32_t>(std::popcount(static_cast<T>(~a))); }
template <class T> constexpr uint32_t count_ones(T a) { return static_cast<uint32_t>(std::popcount(a)); }
constexpr uint32_t kNotFound = ~uint32_t{0};
template <class T> constexpr uint32_t first_one(T a) { return a == 0 ? kNotFound : static_cast<uint32_t>(std::countr_zero(a)); }
template <class T> constexpr uint32_t first_zero(T a) { return first_one(static_cast<T>(~a)); }
template <class T> constexpr uint32_t leading_zeros(T a) {
  return a == 0 ? kNotFound : static_cast<uint32_t>(std::countl_zero(a));
}
// Copies of the sign bit at the top, that one included; none when all bits are the same.
template <class T> constexpr uint32_t leading_signs(T a) {
  return leading_zeros(static_cast<T>(a >> (8 * sizeof(T) - 1) != 0 ? ~a : a));
}

constexpr uint32_t sext_i8(uint32_t a) { return static_cast<uint32_t>(static_cast<int8_t>(a)); }
constexpr uint32_t sext_i16(uint32_t a) { return static_cast<uint32_t>(static_cast<int16_t>(a)); }
template <class T> constexpr T bit_clear(T old, uint32_t n) { return old & ~(T{1} << shift_count<T>(n)); }
template <class T> constexpr T bit_set(T old, uint32_t n) { return old | T{1} << shift_count<T>(n); }

template <class T> constexpr T quad_mask(T a) {
  T r = 0;
  for (unsigned n = 0; n < 2 * sizeof(T); ++n) r |= static_cast<T>((a >> 4 * n & 0xFu) != 0) << n;
  return r;
}
template <class T> constexpr T whole_quad(T a) {
  T r = 0;
  for (unsigned n = 0; n < 2 * sizeof(T); ++n)
    if ((a >> 4 * n & 0xFu) != 0) r |= T{0xF} << 4 * n;
  return r;
}
constexpr uint64_t bit_replicate(uint32_t a) {
  uint64_t r = 0;
  for (unsigned n = 0; n < 32; ++n)
    if ((a >> n & 1u) != 0) r |= uint64_t{3} << 2 * n;
  return r;
}

constexpr uint32_t pack_ll(uint32_t a, uint32_t b) { return (a & 0xFFFFu) | b << 16; }
constexpr uint32_t pack_lh(uint32_t a, uint32_t b) { return (a & 0xFFFFu) | (b & 0xFFFF0000u); }
constexpr uint32_t pack_hh(uint32_t a, uint32_t b) { return a >> 16 | (b & 0xFFFF0000u); }

// D = EXEC before; EXEC = F(s0, EXEC); SCC says whether a lane is left.
template <auto F>
void save_exec(wave& w, const instruction& i) {
  const uint64_t before = w.exec(), after = F(scalar_source<uint64_t>(w, i, 1), before);
  w.set_exec(after);
  write_scalar64(w, i.operands[0], before);
  w.scc = after != 0;
}
// D = EXEC = F(s0, EXEC).
template <auto F>
void write_exec(wave& w, const instruction& i) {
  const uint64_t after = F(scalar_source<uint64_t>(w, i, 1), w.exec());
  w.set_exec(after);
  write_scalar64(w, i.operands[0], after);
  w.scc = after != 0;
}

constexpr uint32_t kExec = kReadsExec | kWritesExec | kWritesScc;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr opcode kOpcodes[] = {
    {"s_and_b32", "M1 m1 m1", scalar_scc<bit_and<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_and_b64", "M2 m2 m2", scalar_scc<bit_and<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_or_b32", "M1 m1 m1", scalar_scc<bit_or<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_or_b64", "M2 m2 m2", scalar_scc<bit_or<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_xor_b32", "M1 m1 m1", scalar_scc<bit_xor<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_xor_b64", "M2 m2 m2", scalar_scc<bit_xor<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_andn2_b32", "M1 m1 m1", scalar_scc<bit_andn2<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_andn2_b64", "M2 m2 m2", scalar_scc<bit_andn2<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_orn2_b32", "M1 m1 m1", scalar_scc<bit_orn2<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_orn2_b64", "M2 m2 m2", scalar_scc<bit_orn2<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_nand_b32", "M1 m1 m1", scalar_scc<bit_nand<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_nand_b64", "M2 m2 m2", scalar_scc<bit_nand<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_nor_b32", "M1 m1 m1", scalar_scc<bit_nor<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_nor_b64", "M2 m2 m2", scalar_scc<bit_nor<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_xnor_b32", "M1 m1 m1", scalar_scc<bit_xnor<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_xnor_b64", "M2 m2 m2", scalar_scc<bit_xnor<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_not_b32", "M1 m1", scalar_scc<bit_not<u32>, 1>, kWritesScc, certainty::manual},
    {"s_not_b64", "M2 m2", scalar_scc<bit_not<u64>, 1>, kWritesScc, certainty::manual},

    {"s_lshl_b32", "M1 m1 m1", scalar_scc<shift_left<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshl_b64", "M2 m2 m1", scalar_scc<shift_left<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshr_b32", "M1 m1 m1", scalar_scc<shift_right<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshr_b64", "M2 m2 m1", scalar_scc<shift_right<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_ashr_i32", "M1 m1 m1", scalar_scc<shift_right<int32_t>, 1, 2>, kWritesScc, certainty::manual},
    {"s_ashr_i64", "M2 m2 m1", scalar_scc<shift_right<int64_t>, 1, 2>, kWritesScc, certainty::manual},
    {"s_bfm_b32", "M1 m1 m1", scalar<field_mask<u32>, 1, 2>, kPlain, certainty::manual},
    {"s_bfm_b64", "M2 m1 m1", scalar<field_mask<u64>, 1, 2>, kPlain, certainty::manual},
    {"s_bfe_u32", "M1 m1 m1", scalar_scc<extract<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_bfe_u64", "M2 m2 m1", scalar_scc<extract<u64>, 1, 2>, kWritesScc, certainty::manual},
    {"s_bfe_i32", "M1 m1 m1", scalar_scc<extract_signed<u32>, 1, 2>, kWritesScc, certainty::manual},
    {"s_bfe_i64", "M2 m2 m1", scalar_scc<extract_signed<u64>, 1, 2>, kWritesScc, certainty::manual},

    {"s_brev_b32", "M1 m1", scalar<reversed<u32>, 1>, kPlain, certainty::manual},
    {"s_brev_b64", "M2 m2", scalar<reversed<u64>, 1>, kPlain, certainty::manual},
    {"s_bcnt0_i32_b32", "M1 m1", scalar_scc<count_zeros<u32>, 1>, kWritesScc, certainty::manual},
    {"s_bcnt0_i32_b64", "M1 m2", scalar_scc<count_zeros<u64>, 1>, kWritesScc, certainty::manual},
    {"s_bcnt1_i32_b32", "M1 m1", scalar_scc<count_ones<u32>, 1>, kWritesScc, certainty::manual},
    {"s_bcnt1_i32_b64", "M1 m2", scalar_scc<count_ones<u64>, 1>, kWritesScc, certainty::manual},
    {"s_ff0_i32_b32", "M1 m1", scalar<first_zero<u32>, 1>, kPlain, certainty::manual},
    {"s_ff0_i32_b64", "M1 m2", scalar<first_zero<u64>, 1>, kPlain, certainty::manual},
    {"s_ff1_i32_b32", "M1 m1", scalar<first_one<u32>, 1>, kPlain, certainty::manual},
    {"s_ff1_i32_b64", "M1 m2", scalar<first_one<u64>, 1>, kPlain, certainty::manual},
    {"s_flbit_i32_b32", "M1 m1", scalar<leading_zeros<u32>, 1>, kPlain, certainty::manual},
    {"s_flbit_i32_b64", "M1 m2", scalar<leading_zeros<u64>, 1>, kPlain, certainty::manual},
    {"s_flbit_i32", "M1 m1", scalar<leading_signs<u32>, 1>, kPlain, certainty::manual},
    {"s_flbit_i32_i64", "M1 m2", scalar<leading_signs<u64>, 1>, kPlain, certainty::manual},
    {"s_sext_i32_i8", "M1 m1", scalar<sext_i8, 1>, kPlain, certainty::manual},
    {"s_sext_i32_i16", "M1 m1", scalar<sext_i16, 1>, kPlain, certainty::manual},
    {"s_bitset0_b32", "Y1 m1", scalar<bit_clear<u32>, 0, 1>, kPlain, certainty::manual},
    {"s_bitset0_b64", "Y2 m1", scalar<bit_clear<u64>, 0, 1>, kPlain, certainty::manual},
    {"s_bitset1_b32", "Y1 m1", scalar<bit_set<u32>, 0, 1>, kPlain, certainty::manual},
    {"s_bitset1_b64", "Y2 m1", scalar<bit_set<u64>, 0, 1>, kPlain, certainty::manual},
    {"s_quadmask_b32", "M1 m1", scalar_scc<quad_mask<u32>, 1>, kWritesScc, certainty::manual},
    {"s_quadmask_b64", "M2 m2", scalar_scc<quad_mask<u64>, 1>, kWritesScc, certainty::manual},
    {"s_wqm_b32", "M1 m1", scalar_scc<whole_quad<u32>, 1>, kWritesScc, certainty::manual},
    {"s_wqm_b64", "M2 m2", scalar_scc<whole_quad<u64>, 1>, kWritesScc, certainty::manual},
    {"s_bitreplicate_b64_b32", "M2 m1", scalar<bit_replicate, 1>, kPlain, certainty::manual},
    {"s_pack_ll_b32_b16", "M1 m1 m1", scalar<pack_ll, 1, 2>, kPlain, certainty::manual},
    {"s_pack_lh_b32_b16", "M1 m1 m1", scalar<pack_lh, 1, 2>, kPlain, certainty::manual},
    {"s_pack_hh_b32_b16", "M1 m1 m1", scalar<pack_hh, 1, 2>, kPlain, certainty::manual},

    {"s_and_saveexec_b64", "M2 m2", save_exec<bit_and<u64>>, kExec, certainty::manual},
    {"s_or_saveexec_b64", "M2 m2", save_exec<bit_or<u64>>, kExec, certainty::manual},
    {"s_xor_saveexec_b64", "M2 m2", save_exec<bit_xor<u64>>, kExec, certainty::manual},
    {"s_andn2_saveexec_b64", "M2 m2", save_exec<bit_andn2<u64>>, kExec, certainty::manual},
    {"s_orn2_saveexec_b64", "M2 m2", save_exec<bit_orn2<u64>>, kExec, certainty::manual},
    {"s_nand_saveexec_b64", "M2 m2", save_exec<bit_nand<u64>>, kExec, certainty::manual},
    {"s_nor_saveexec_b64", "M2 m2", save_exec<bit_nor<u64>>, kExec, certainty::manual},
    {"s_xnor_saveexec_b64", "M2 m2", save_exec<bit_xnor<u64>>, kExec, certainty::manual},
    {"s_andn1_saveexec_b64", "M2 m2", save_exec<bit_andn1<u64>>, kExec, certainty::manual},
    {"s_orn1_saveexec_b64", "M2 m2", save_exec<bit_orn1<u64>>, kExec, certainty::manual},
    {"s_andn1_wrexec_b64", "M2 m2", write_exec<bit_andn1<u64>>, kExec, certainty::manual},
    {"s_andn2_wrexec_b64", "M2 m2", write_exec<bit_andn2<u64>>, kExec, certainty::manual},
};

}  // namespace

std::span<const opcode> scalar_bit_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
