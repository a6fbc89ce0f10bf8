// Scalar comparisons and bit tests into SCC, from the ISA manual's pseudocode of SOPC and SOPK.
#include "sim/opcode.h"
#include "sim/scalar.h"

namespace adahop::hip::sim {
namespace {

template <class T> constexpr bool equal(T a, T b) { return a == b; }
template <class T> constexpr bool not_equal(T a, T b) { return a != b; }
template <class T> constexpr bool greater(T a, T b) { return a > b; }
template <class T> constexpr bool greater_equal(T a, T b) { return a >= b; }
template <class T> constexpr bool less(T a, T b) { return a < b; }
template <class T> constexpr bool less_equal(T a, T b) { return a <= b; }

// Against SOPK's 16 bits: extended with their sign for i32, with zeros for u32.
template <auto F> constexpr bool immediate_i32(int32_t a, uint32_t k) { return F(a, int32_t{static_cast<int16_t>(k)}); }
template <auto F> constexpr bool immediate_u32(uint32_t a, uint32_t k) { return F(a, uint32_t{static_cast<uint16_t>(k)}); }

template <class T, bool Wanted> constexpr bool bit_is(T a, uint32_t n) {
  return (a >> (n & (8 * sizeof(T) - 1)) & 1u) == (Wanted ? 1u : 0u);
}

using i32 = int32_t;
using u32 = uint32_t;
using u64 = uint64_t;

constexpr opcode kOpcodes[] = {
    {"s_cmp_eq_i32", "m1 m1", scalar_compare<equal<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_lg_i32", "m1 m1", scalar_compare<not_equal<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_gt_i32", "m1 m1", scalar_compare<greater<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_ge_i32", "m1 m1", scalar_compare<greater_equal<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_lt_i32", "m1 m1", scalar_compare<less<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_le_i32", "m1 m1", scalar_compare<less_equal<i32>>, kWritesScc, certainty::manual},
    {"s_cmp_eq_u32", "m1 m1", scalar_compare<equal<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_lg_u32", "m1 m1", scalar_compare<not_equal<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_gt_u32", "m1 m1", scalar_compare<greater<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_ge_u32", "m1 m1", scalar_compare<greater_equal<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_lt_u32", "m1 m1", scalar_compare<less<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_le_u32", "m1 m1", scalar_compare<less_equal<u32>>, kWritesScc, certainty::manual},
    {"s_cmp_eq_u64", "m2 m2", scalar_compare<equal<u64>>, kWritesScc, certainty::manual},
    {"s_cmp_lg_u64", "m2 m2", scalar_compare<not_equal<u64>>, kWritesScc, certainty::manual},

    {"s_cmpk_eq_i32", "m1 i", scalar_compare<immediate_i32<equal<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_lg_i32", "m1 i", scalar_compare<immediate_i32<not_equal<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_gt_i32", "m1 i", scalar_compare<immediate_i32<greater<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_ge_i32", "m1 i", scalar_compare<immediate_i32<greater_equal<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_lt_i32", "m1 i", scalar_compare<immediate_i32<less<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_le_i32", "m1 i", scalar_compare<immediate_i32<less_equal<i32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_eq_u32", "m1 i", scalar_compare<immediate_u32<equal<u32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_lg_u32", "m1 i", scalar_compare<immediate_u32<not_equal<u32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_gt_u32", "m1 i", scalar_compare<immediate_u32<greater<u32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_ge_u32", "m1 i", scalar_compare<immediate_u32<greater_equal<u32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_lt_u32", "m1 i", scalar_compare<immediate_u32<less<u32>>>, kWritesScc, certainty::manual},
    {"s_cmpk_le_u32", "m1 i", scalar_compare<immediate_u32<less_equal<u32>>>, kWritesScc, certainty::manual},

    {"s_bitcmp0_b32", "m1 m1", scalar_compare<bit_is<u32, false>>, kWritesScc, certainty::manual},
    {"s_bitcmp1_b32", "m1 m1", scalar_compare<bit_is<u32, true>>, kWritesScc, certainty::manual},
    {"s_bitcmp0_b64", "m2 m1", scalar_compare<bit_is<u64, false>>, kWritesScc, certainty::manual},
    {"s_bitcmp1_b64", "m2 m1", scalar_compare<bit_is<u64, true>>, kWritesScc, certainty::manual},
};

}  // namespace

std::span<const opcode> scalar_compare_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
