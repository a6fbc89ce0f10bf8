// Comparisons of F16: 16 relations and the class test, from the ISA manual. The relation's number is the set of outcomes
// (less 1, equal 2, greater 4, unordered 8) for which it holds.
#include "sim/float_compare.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t kTest = kFloatModifiers | kTests | kSdwaDpp;
constexpr uint32_t kTestExec = kTest | kWritesExec;

constexpr opcode kOpcodes[] = {
    {"v_cmp_f_f16", "M2 s1 s1", compare<f16, 0, false>, kTest, certainty::manual},
    {"v_cmp_lt_f16", "M2 s1 s1", compare<f16, 1, false>, kTest, certainty::manual},
    {"v_cmp_eq_f16", "M2 s1 s1", compare<f16, 2, false>, kTest, certainty::manual},
    {"v_cmp_le_f16", "M2 s1 s1", compare<f16, 3, false>, kTest, certainty::manual},
    {"v_cmp_gt_f16", "M2 s1 s1", compare<f16, 4, false>, kTest, certainty::manual},
    {"v_cmp_lg_f16", "M2 s1 s1", compare<f16, 5, false>, kTest, certainty::manual},
    {"v_cmp_ge_f16", "M2 s1 s1", compare<f16, 6, false>, kTest, certainty::manual},
    {"v_cmp_o_f16", "M2 s1 s1", compare<f16, 7, false>, kTest, certainty::manual},
    {"v_cmp_u_f16", "M2 s1 s1", compare<f16, 8, false>, kTest, certainty::manual},
    {"v_cmp_nge_f16", "M2 s1 s1", compare<f16, 9, false>, kTest, certainty::manual},
    {"v_cmp_nlg_f16", "M2 s1 s1", compare<f16, 10, false>, kTest, certainty::manual},
    {"v_cmp_ngt_f16", "M2 s1 s1", compare<f16, 11, false>, kTest, certainty::manual},
    {"v_cmp_nle_f16", "M2 s1 s1", compare<f16, 12, false>, kTest, certainty::manual},
    {"v_cmp_neq_f16", "M2 s1 s1", compare<f16, 13, false>, kTest, certainty::manual},
    {"v_cmp_nlt_f16", "M2 s1 s1", compare<f16, 14, false>, kTest, certainty::manual},
    {"v_cmp_tru_f16", "M2 s1 s1", compare<f16, 15, false>, kTest, certainty::manual},
    {"v_cmp_class_f16", "M2 s1 s1", compare_class<f16, false>, kTest, certainty::manual},
    {"v_cmpx_f_f16", "M2 s1 s1", compare<f16, 0, true>, kTestExec, certainty::manual},
    {"v_cmpx_lt_f16", "M2 s1 s1", compare<f16, 1, true>, kTestExec, certainty::manual},
    {"v_cmpx_eq_f16", "M2 s1 s1", compare<f16, 2, true>, kTestExec, certainty::manual},
    {"v_cmpx_le_f16", "M2 s1 s1", compare<f16, 3, true>, kTestExec, certainty::manual},
    {"v_cmpx_gt_f16", "M2 s1 s1", compare<f16, 4, true>, kTestExec, certainty::manual},
    {"v_cmpx_lg_f16", "M2 s1 s1", compare<f16, 5, true>, kTestExec, certainty::manual},
    {"v_cmpx_ge_f16", "M2 s1 s1", compare<f16, 6, true>, kTestExec, certainty::manual},
    {"v_cmpx_o_f16", "M2 s1 s1", compare<f16, 7, true>, kTestExec, certainty::manual},
    {"v_cmpx_u_f16", "M2 s1 s1", compare<f16, 8, true>, kTestExec, certainty::manual},
    {"v_cmpx_nge_f16", "M2 s1 s1", compare<f16, 9, true>, kTestExec, certainty::manual},
    {"v_cmpx_nlg_f16", "M2 s1 s1", compare<f16, 10, true>, kTestExec, certainty::manual},
    {"v_cmpx_ngt_f16", "M2 s1 s1", compare<f16, 11, true>, kTestExec, certainty::manual},
    {"v_cmpx_nle_f16", "M2 s1 s1", compare<f16, 12, true>, kTestExec, certainty::manual},
    {"v_cmpx_neq_f16", "M2 s1 s1", compare<f16, 13, true>, kTestExec, certainty::manual},
    {"v_cmpx_nlt_f16", "M2 s1 s1", compare<f16, 14, true>, kTestExec, certainty::manual},
    {"v_cmpx_tru_f16", "M2 s1 s1", compare<f16, 15, true>, kTestExec, certainty::manual},
    {"v_cmpx_class_f16", "M2 s1 s1", compare_class<f16, true>, kTestExec, certainty::manual},
};

}  // namespace

std::span<const opcode> float_compare_f16_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
