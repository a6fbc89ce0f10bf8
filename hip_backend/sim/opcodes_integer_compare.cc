// Vector comparisons of integers into a lane mask, from the ISA manual's pseudocode of VOPC: 0 where EXEC is off; v_cmpx gives
// EXEC the same.
#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;
using i64 = int64_t;
using u64 = uint64_t;

template <class T> constexpr bool never(T, T) { return false; }
template <class T> constexpr bool less(T a, T b) { return a < b; }
template <class T> constexpr bool equal(T a, T b) { return a == b; }
template <class T> constexpr bool less_equal(T a, T b) { return a <= b; }
template <class T> constexpr bool greater(T a, T b) { return a > b; }
template <class T> constexpr bool not_equal(T a, T b) { return a != b; }
template <class T> constexpr bool greater_equal(T a, T b) { return a >= b; }
template <class T> constexpr bool always(T, T) { return true; }

constexpr uint32_t kTest64 = kTests, kTestExec64 = kTest64 | kWritesExec;
constexpr uint32_t kTest = kTest64 | kSdwaDpp, kTestExec = kTest | kWritesExec;

constexpr opcode kOpcodes[] = {
    {"v_cmp_f_i16", "M2 s1 s1", compare_lanes<never<i16>, false>, kTest, certainty::manual},
    {"v_cmp_lt_i16", "M2 s1 s1", compare_lanes<less<i16>, false>, kTest, certainty::manual},
    {"v_cmp_eq_i16", "M2 s1 s1", compare_lanes<equal<i16>, false>, kTest, certainty::manual},
    {"v_cmp_le_i16", "M2 s1 s1", compare_lanes<less_equal<i16>, false>, kTest, certainty::manual},
    {"v_cmp_gt_i16", "M2 s1 s1", compare_lanes<greater<i16>, false>, kTest, certainty::manual},
    {"v_cmp_ne_i16", "M2 s1 s1", compare_lanes<not_equal<i16>, false>, kTest, certainty::manual},
    {"v_cmp_ge_i16", "M2 s1 s1", compare_lanes<greater_equal<i16>, false>, kTest, certainty::manual},
    {"v_cmp_t_i16", "M2 s1 s1", compare_lanes<always<i16>, false>, kTest, certainty::manual},

    {"v_cmpx_f_i16", "M2 s1 s1", compare_lanes<never<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_i16", "M2 s1 s1", compare_lanes<less<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_i16", "M2 s1 s1", compare_lanes<equal<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_i16", "M2 s1 s1", compare_lanes<less_equal<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_i16", "M2 s1 s1", compare_lanes<greater<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ne_i16", "M2 s1 s1", compare_lanes<not_equal<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_i16", "M2 s1 s1", compare_lanes<greater_equal<i16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_t_i16", "M2 s1 s1", compare_lanes<always<i16>, true>, kTestExec, certainty::manual},

    {"v_cmp_f_u16", "M2 s1 s1", compare_lanes<never<u16>, false>, kTest, certainty::manual},
    {"v_cmp_lt_u16", "M2 s1 s1", compare_lanes<less<u16>, false>, kTest, certainty::manual},
    {"v_cmp_eq_u16", "M2 s1 s1", compare_lanes<equal<u16>, false>, kTest, certainty::manual},
    {"v_cmp_le_u16", "M2 s1 s1", compare_lanes<less_equal<u16>, false>, kTest, certainty::manual},
    {"v_cmp_gt_u16", "M2 s1 s1", compare_lanes<greater<u16>, false>, kTest, certainty::manual},
    {"v_cmp_ne_u16", "M2 s1 s1", compare_lanes<not_equal<u16>, false>, kTest, certainty::manual},
    {"v_cmp_ge_u16", "M2 s1 s1", compare_lanes<greater_equal<u16>, false>, kTest, certainty::manual},
    {"v_cmp_t_u16", "M2 s1 s1", compare_lanes<always<u16>, false>, kTest, certainty::manual},

    {"v_cmpx_f_u16", "M2 s1 s1", compare_lanes<never<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_u16", "M2 s1 s1", compare_lanes<less<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_u16", "M2 s1 s1", compare_lanes<equal<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_u16", "M2 s1 s1", compare_lanes<less_equal<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_u16", "M2 s1 s1", compare_lanes<greater<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ne_u16", "M2 s1 s1", compare_lanes<not_equal<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_u16", "M2 s1 s1", compare_lanes<greater_equal<u16>, true>, kTestExec, certainty::manual},
    {"v_cmpx_t_u16", "M2 s1 s1", compare_lanes<always<u16>, true>, kTestExec, certainty::manual},

    {"v_cmp_f_i32", "M2 s1 s1", compare_lanes<never<i32>, false>, kTest, certainty::manual},
    {"v_cmp_lt_i32", "M2 s1 s1", compare_lanes<less<i32>, false>, kTest, certainty::manual},
    {"v_cmp_eq_i32", "M2 s1 s1", compare_lanes<equal<i32>, false>, kTest, certainty::manual},
    {"v_cmp_le_i32", "M2 s1 s1", compare_lanes<less_equal<i32>, false>, kTest, certainty::manual},
    {"v_cmp_gt_i32", "M2 s1 s1", compare_lanes<greater<i32>, false>, kTest, certainty::manual},
    {"v_cmp_ne_i32", "M2 s1 s1", compare_lanes<not_equal<i32>, false>, kTest, certainty::manual},
    {"v_cmp_ge_i32", "M2 s1 s1", compare_lanes<greater_equal<i32>, false>, kTest, certainty::manual},
    {"v_cmp_t_i32", "M2 s1 s1", compare_lanes<always<i32>, false>, kTest, certainty::manual},

    {"v_cmpx_f_i32", "M2 s1 s1", compare_lanes<never<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_i32", "M2 s1 s1", compare_lanes<less<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_i32", "M2 s1 s1", compare_lanes<equal<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_i32", "M2 s1 s1", compare_lanes<less_equal<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_i32", "M2 s1 s1", compare_lanes<greater<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ne_i32", "M2 s1 s1", compare_lanes<not_equal<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_i32", "M2 s1 s1", compare_lanes<greater_equal<i32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_t_i32", "M2 s1 s1", compare_lanes<always<i32>, true>, kTestExec, certainty::manual},

    {"v_cmp_f_u32", "M2 s1 s1", compare_lanes<never<u32>, false>, kTest, certainty::manual},
    {"v_cmp_lt_u32", "M2 s1 s1", compare_lanes<less<u32>, false>, kTest, certainty::manual},
    {"v_cmp_eq_u32", "M2 s1 s1", compare_lanes<equal<u32>, false>, kTest, certainty::manual},
    {"v_cmp_le_u32", "M2 s1 s1", compare_lanes<less_equal<u32>, false>, kTest, certainty::manual},
    {"v_cmp_gt_u32", "M2 s1 s1", compare_lanes<greater<u32>, false>, kTest, certainty::manual},
    {"v_cmp_ne_u32", "M2 s1 s1", compare_lanes<not_equal<u32>, false>, kTest, certainty::manual},
    {"v_cmp_ge_u32", "M2 s1 s1", compare_lanes<greater_equal<u32>, false>, kTest, certainty::manual},
    {"v_cmp_t_u32", "M2 s1 s1", compare_lanes<always<u32>, false>, kTest, certainty::manual},

    {"v_cmpx_f_u32", "M2 s1 s1", compare_lanes<never<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_u32", "M2 s1 s1", compare_lanes<less<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_u32", "M2 s1 s1", compare_lanes<equal<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_u32", "M2 s1 s1", compare_lanes<less_equal<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_u32", "M2 s1 s1", compare_lanes<greater<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ne_u32", "M2 s1 s1", compare_lanes<not_equal<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_u32", "M2 s1 s1", compare_lanes<greater_equal<u32>, true>, kTestExec, certainty::manual},
    {"v_cmpx_t_u32", "M2 s1 s1", compare_lanes<always<u32>, true>, kTestExec, certainty::manual},

    {"v_cmp_f_i64", "M2 s2 s2", compare_lanes<never<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_lt_i64", "M2 s2 s2", compare_lanes<less<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_eq_i64", "M2 s2 s2", compare_lanes<equal<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_le_i64", "M2 s2 s2", compare_lanes<less_equal<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_gt_i64", "M2 s2 s2", compare_lanes<greater<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_ne_i64", "M2 s2 s2", compare_lanes<not_equal<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_ge_i64", "M2 s2 s2", compare_lanes<greater_equal<i64>, false>, kTest64, certainty::manual},
    {"v_cmp_t_i64", "M2 s2 s2", compare_lanes<always<i64>, false>, kTest64, certainty::manual},

    {"v_cmpx_f_i64", "M2 s2 s2", compare_lanes<never<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_lt_i64", "M2 s2 s2", compare_lanes<less<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_eq_i64", "M2 s2 s2", compare_lanes<equal<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_le_i64", "M2 s2 s2", compare_lanes<less_equal<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_gt_i64", "M2 s2 s2", compare_lanes<greater<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_ne_i64", "M2 s2 s2", compare_lanes<not_equal<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_ge_i64", "M2 s2 s2", compare_lanes<greater_equal<i64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_t_i64", "M2 s2 s2", compare_lanes<always<i64>, true>, kTestExec64, certainty::manual},

    {"v_cmp_f_u64", "M2 s2 s2", compare_lanes<never<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_lt_u64", "M2 s2 s2", compare_lanes<less<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_eq_u64", "M2 s2 s2", compare_lanes<equal<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_le_u64", "M2 s2 s2", compare_lanes<less_equal<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_gt_u64", "M2 s2 s2", compare_lanes<greater<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_ne_u64", "M2 s2 s2", compare_lanes<not_equal<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_ge_u64", "M2 s2 s2", compare_lanes<greater_equal<u64>, false>, kTest64, certainty::manual},
    {"v_cmp_t_u64", "M2 s2 s2", compare_lanes<always<u64>, false>, kTest64, certainty::manual},

    {"v_cmpx_f_u64", "M2 s2 s2", compare_lanes<never<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_lt_u64", "M2 s2 s2", compare_lanes<less<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_eq_u64", "M2 s2 s2", compare_lanes<equal<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_le_u64", "M2 s2 s2", compare_lanes<less_equal<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_gt_u64", "M2 s2 s2", compare_lanes<greater<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_ne_u64", "M2 s2 s2", compare_lanes<not_equal<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_ge_u64", "M2 s2 s2", compare_lanes<greater_equal<u64>, true>, kTestExec64, certainty::manual},
    {"v_cmpx_t_u64", "M2 s2 s2", compare_lanes<always<u64>, true>, kTestExec64, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_compare_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
