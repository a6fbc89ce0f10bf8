// Comparisons of F32: 16 relations and the class test, from the ISA manual. The relation's number is the set of outcomes
// (less 1, equal 2, greater 4, unordered 8) for which it holds.
#include "sim/float_compare.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t kTest = kFloatModifiers | kTests | kSdwaDpp;
constexpr uint32_t kTestExec = kTest | kWritesExec;

constexpr opcode kOpcodes[] = {
    {"v_cmp_f_f32", "M2 s1 s1", compare<f32, 0, false>, kTest, certainty::manual},
    {"v_cmp_lt_f32", "M2 s1 s1", compare<f32, 1, false>, kTest, certainty::manual},
    {"v_cmp_eq_f32", "M2 s1 s1", compare<f32, 2, false>, kTest, certainty::manual},
    {"v_cmp_le_f32", "M2 s1 s1", compare<f32, 3, false>, kTest, certainty::manual},
    {"v_cmp_gt_f32", "M2 s1 s1", compare<f32, 4, false>, kTest, certainty::manual},
    {"v_cmp_lg_f32", "M2 s1 s1", compare<f32, 5, false>, kTest, certainty::manual},
    {"v_cmp_ge_f32", "M2 s1 s1", compare<f32, 6, false>, kTest, certainty::manual},
    {"v_cmp_o_f32", "M2 s1 s1", compare<f32, 7, false>, kTest, certainty::manual},
    {"v_cmp_u_f32", "M2 s1 s1", compare<f32, 8, false>, kTest, certainty::manual},
    {"v_cmp_nge_f32", "M2 s1 s1", compare<f32, 9, false>, kTest, certainty::manual},
    {"v_cmp_nlg_f32", "M2 s1 s1", compare<f32, 10, false>, kTest, certainty::manual},
    {"v_cmp_ngt_f32", "M2 s1 s1", compare<f32, 11, false>, kTest, certainty::manual},
    {"v_cmp_nle_f32", "M2 s1 s1", compare<f32, 12, false>, kTest, certainty::manual},
    {"v_cmp_neq_f32", "M2 s1 s1", compare<f32, 13, false>, kTest, certainty::manual},
    {"v_cmp_nlt_f32", "M2 s1 s1", compare<f32, 14, false>, kTest, certainty::manual},
    {"v_cmp_tru_f32", "M2 s1 s1", compare<f32, 15, false>, kTest, certainty::manual},
    {"v_cmp_class_f32", "M2 s1 s1", compare_class<f32, false>, kTest, certainty::manual},
    {"v_cmpx_f_f32", "M2 s1 s1", compare<f32, 0, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_f32", "M2 s1 s1", compare<f32, 1, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_f32", "M2 s1 s1", compare<f32, 2, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_f32", "M2 s1 s1", compare<f32, 3, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_f32", "M2 s1 s1", compare<f32, 4, true>, kTestExec, certainty::manual},
    {"v_cmpx_lg_f32", "M2 s1 s1", compare<f32, 5, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_f32", "M2 s1 s1", compare<f32, 6, true>, kTestExec, certainty::manual},
    {"v_cmpx_o_f32", "M2 s1 s1", compare<f32, 7, true>, kTestExec, certainty::manual},
    {"v_cmpx_u_f32", "M2 s1 s1", compare<f32, 8, true>, kTestExec, certainty::manual},
    {"v_cmpx_nge_f32", "M2 s1 s1", compare<f32, 9, true>, kTestExec, certainty::manual},
    {"v_cmpx_nlg_f32", "M2 s1 s1", compare<f32, 10, true>, kTestExec, certainty::manual},
    {"v_cmpx_ngt_f32", "M2 s1 s1", compare<f32, 11, true>, kTestExec, certainty::manual},
    {"v_cmpx_nle_f32", "M2 s1 s1", compare<f32, 12, true>, kTestExec, certainty::manual},
    {"v_cmpx_neq_f32", "M2 s1 s1", compare<f32, 13, true>, kTestExec, certainty::manual},
    {"v_cmpx_nlt_f32", "M2 s1 s1", compare<f32, 14, true>, kTestExec, certainty::manual},
    {"v_cmpx_tru_f32", "M2 s1 s1", compare<f32, 15, true>, kTestExec, certainty::manual},
    {"v_cmpx_class_f32", "M2 s1 s1", compare_class<f32, true>, kTestExec, certainty::manual},
};

}  // namespace

std::span<const opcode> float_compare_f32_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
