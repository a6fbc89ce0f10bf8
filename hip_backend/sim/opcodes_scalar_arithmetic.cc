// Scalar moves, sums, products and extremes, from the ISA manual's pseudocode of SOP1, SOP2 and SOPK.
#include "sim/opcode.h"
#include "sim/scalar.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t move(uint32_t a) { return a; }
constexpr uint64_t move64(uint64_t a) { return a; }
// The immediate of SOPK, 16 bits of two's complement that the text may write without a sign.
constexpr uint32_t sign_extended(uint32_t k) { return static_cast<uint32_t>(static_cast<int16_t>(k)); }

template <class T>
void conditional_move(wave& w, const instruction& i) {
  if (w.scc) write_scalar_result(w, i, scalar_source<T>(w, i, 1));
}
void conditional_move_immediate(wave& w, const instruction& i) {
  if (w.scc) write_scalar_result(w, i, sign_extended(scalar_source<uint32_t>(w, i, 1)));
}
template <class T>
void select(wave& w, const instruction& i) {
  write_scalar_result(w, i, scalar_source<T>(w, i, w.scc ? 1 : 2));
}

constexpr with_scc<uint32_t> with_carry(uint64_t sum) { return {static_cast<uint32_t>(sum), sum >> 32 != 0}; }
constexpr with_scc<uint32_t> add_u32(uint32_t a, uint32_t b) { return with_carry(uint64_t{a} + b); }
constexpr with_scc<uint32_t> sub_u32(uint32_t a, uint32_t b) { return {a - b, b > a}; }

void add_with_carry(wave& w, const instruction& i) {
  const uint64_t a = scalar_source<uint32_t>(w, i, 1), b = scalar_source<uint32_t>(w, i, 2);
  settle_scalar(w, i, with_carry(a + b + (w.scc ? 1 : 0)), false);
}
void subtract_with_borrow(wave& w, const instruction& i) {
  const uint64_t a = scalar_source<uint32_t>(w, i, 1), b = scalar_source<uint32_t>(w, i, 2), borrow = w.scc ? 1 : 0;
  settle_scalar(w, i, with_scc<uint32_t>{static_cast<uint32_t>(a - b - borrow), b + borrow > a}, false);
}

// SCC is signed overflow: the sum's sign differs from that of both summands.
constexpr with_scc<uint32_t> add_i32(uint32_t a, uint32_t b) {
  const uint32_t sum = a + b;
  return {sum, ((a ^ sum) & (b ^ sum)) >> 31 != 0};
}
constexpr with_scc<uint32_t> sub_i32(uint32_t a, uint32_t b) {
  const uint32_t difference = a - b;
  return {difference, ((a ^ b) & (a ^ difference)) >> 31 != 0};
}
constexpr with_scc<uint32_t> add_immediate(uint32_t old, uint32_t k) { return add_i32(old, sign_extended(k)); }

constexpr with_scc<int32_t> min_i32(int32_t a, int32_t b) { return {a < b ? a : b, a < b}; }
constexpr with_scc<uint32_t> min_u32(uint32_t a, uint32_t b) { return {a < b ? a : b, a < b}; }
constexpr with_scc<int32_t> max_i32(int32_t a, int32_t b) { return {a >= b ? a : b, a >= b}; }
constexpr with_scc<uint32_t> max_u32(uint32_t a, uint32_t b) { return {a >= b ? a : b, a >= b}; }

constexpr uint32_t mul(uint32_t a, uint32_t b) { return a * b; }
constexpr uint32_t mul_hi_u32(uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
constexpr int32_t mul_hi_i32(int32_t a, int32_t b) { return static_cast<int32_t>(int64_t{a} * b >> 32); }
constexpr uint32_t mul_immediate(uint32_t old, uint32_t k) { return old * sign_extended(k); }

// |INT32_MIN| is itself.
constexpr uint32_t abs_i32(uint32_t a) { return static_cast<int32_t>(a) < 0 ? 0u - a : a; }
constexpr uint32_t absdiff_i32(uint32_t a, uint32_t b) { return abs_i32(a - b); }

template <unsigned Shift>
constexpr with_scc<uint32_t> shift_add(uint32_t a, uint32_t b) {
  return with_carry((uint64_t{a} << Shift) + b);
}

constexpr opcode kOpcodes[] = {
    {"s_mov_b32", "M1 m1", scalar<move, 1>, kMove, certainty::manual},
    {"s_mov_b64", "M2 m2", scalar<move64, 1>, kMove, certainty::manual},
    {"s_movk_i32", "M1 i", scalar<sign_extended, 1>, kPlain, certainty::manual},
    {"s_cmov_b32", "Y1 m1", conditional_move<uint32_t>, kReadsScc, certainty::manual},
    {"s_cmov_b64", "Y2 m2", conditional_move<uint64_t>, kReadsScc, certainty::manual},
    {"s_cmovk_i32", "Y1 i", conditional_move_immediate, kReadsScc, certainty::manual},
    {"s_cselect_b32", "M1 m1 m1", select<uint32_t>, kReadsScc, certainty::manual},
    {"s_cselect_b64", "M2 m2 m2", select<uint64_t>, kReadsScc, certainty::manual},

    {"s_add_u32", "M1 m1 m1", scalar<add_u32, 1, 2>, kWritesScc, certainty::manual},
    {"s_sub_u32", "M1 m1 m1", scalar<sub_u32, 1, 2>, kWritesScc, certainty::manual},
    {"s_add_i32", "M1 m1 m1", scalar<add_i32, 1, 2>, kWritesScc, certainty::manual},
    {"s_sub_i32", "M1 m1 m1", scalar<sub_i32, 1, 2>, kWritesScc, certainty::manual},
    {"s_addc_u32", "M1 m1 m1", add_with_carry, kReadsScc | kWritesScc, certainty::manual},
    {"s_subb_u32", "M1 m1 m1", subtract_with_borrow, kReadsScc | kWritesScc, certainty::manual},
    {"s_addk_i32", "Y1 i", scalar<add_immediate, 0, 1>, kWritesScc, certainty::manual},

    {"s_min_i32", "M1 m1 m1", scalar<min_i32, 1, 2>, kWritesScc, certainty::manual},
    {"s_min_u32", "M1 m1 m1", scalar<min_u32, 1, 2>, kWritesScc, certainty::manual},
    {"s_max_i32", "M1 m1 m1", scalar<max_i32, 1, 2>, kWritesScc, certainty::manual},
    {"s_max_u32", "M1 m1 m1", scalar<max_u32, 1, 2>, kWritesScc, certainty::manual},

    {"s_mul_i32", "M1 m1 m1", scalar<mul, 1, 2>, kPlain, certainty::manual},
    {"s_mul_hi_u32", "M1 m1 m1", scalar<mul_hi_u32, 1, 2>, kPlain, certainty::manual},
    {"s_mul_hi_i32", "M1 m1 m1", scalar<mul_hi_i32, 1, 2>, kPlain, certainty::manual},
    {"s_mulk_i32", "Y1 i", scalar<mul_immediate, 0, 1>, kPlain, certainty::manual},

    {"s_abs_i32", "M1 m1", scalar_scc<abs_i32, 1>, kWritesScc, certainty::manual},
    {"s_absdiff_i32", "M1 m1 m1", scalar_scc<absdiff_i32, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshl1_add_u32", "M1 m1 m1", scalar<shift_add<1>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshl2_add_u32", "M1 m1 m1", scalar<shift_add<2>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshl3_add_u32", "M1 m1 m1", scalar<shift_add<3>, 1, 2>, kWritesScc, certainty::manual},
    {"s_lshl4_add_u32", "M1 m1 m1", scalar<shift_add<4>, 1, 2>, kWritesScc, certainty::manual},
};

}  // namespace

std::span<const opcode> scalar_arithmetic_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
