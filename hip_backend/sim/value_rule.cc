// The rule of each opcode, from its name, form and flags.
#include "sim/value_rule.h"

#include <array>
#include <string_view>
#include <utility>

#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

using named_rule = std::pair<std::string_view, value_rule>;

// Compilers leave the upper half of a 64-bit source undefined where they want only the lower half of the result.
constexpr std::array<named_rule, 5> kVectorRules{{{"v_mad_u64_u32", value_rule::vector_low},
                                                  {"v_mad_i64_i32", value_rule::vector_low},
                                                  {"v_lshl_add_u64", value_rule::vector_low},
                                                  {"v_lshlrev_b64", value_rule::vector_low},
                                                  {"v_mov_b64", value_rule::vector_low}}};

// In front of _b32, _b64, _saveexec_b64 and _wrexec_b64. NAND, NOR and XNOR know what AND, OR and XOR know.
constexpr std::array<named_rule, 12> kBitRules{{{"s_and", value_rule::bit_and},
                                                {"s_nand", value_rule::bit_and},
                                                {"s_or", value_rule::bit_or},
                                                {"s_nor", value_rule::bit_or},
                                                {"s_xor", value_rule::bit_xor},
                                                {"s_xnor", value_rule::bit_xor},
                                                {"s_not", value_rule::bit_not},
                                                {"s_andn1", value_rule::bit_andn1},
                                                {"s_andn2", value_rule::bit_andn2},
                                                {"s_orn1", value_rule::bit_orn1},
                                                {"s_orn2", value_rule::bit_orn2},
                                                {"s_mov", value_rule::scalar_copy}}};

value_rule vector_rule(const opcode& op) {
  for (const auto& [name, rule] : kVectorRules)
    if (op.mnemonic == name) return rule;
  if (op.mnemonic == "v_cndmask_b32") return value_rule::vector_select;
  if (op.mnemonic == "v_pk_mov_b32") return value_rule::vector_pair;
  return (op.flags & kVop3p) != 0 && op.form.starts_with("D2") ? value_rule::vector_halves : value_rule::vector;
}

value_rule scalar_rule(const opcode& op) {
  if (op.form.empty() || op.form == "i") return value_rule::nothing;
  if (op.mnemonic.starts_with("s_cselect")) return value_rule::scalar_select;
  const std::string_view stem = op.mnemonic.substr(0, op.mnemonic.find('_', 2));
  for (const auto& [name, rule] : kBitRules)
    if (stem == name) return rule;
  return value_rule::scalar;
}

}  // namespace

value_rule value_rule_of(const opcode& op) {
  const auto has = [&](uint32_t flags) { return (op.flags & flags) != 0; };
  if (has(kCrossLane)) return has(kMove) ? value_rule::own : value_rule::cross_lane;
  if (has(kVmCounter | kLgkmCounter | kScalarLoad)) return value_rule::memory;
  if (has(kWholeWave)) return value_rule::matrix;
  if (has(kBranch)) return value_rule::branch;
  return op.mnemonic.starts_with("v_") ? vector_rule(op) : scalar_rule(op);
}

}  // namespace adahop::hip::sim
