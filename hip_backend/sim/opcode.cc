// Finding an opcode by name among the families.
#include "sim/opcode.h"

#include <unordered_map>

namespace adahop::hip::sim {

std::vector<const opcode*> all_opcodes() {
  std::vector<const opcode*> all;
  for (const auto family :
       {scalar_arithmetic_opcodes(), scalar_bit_opcodes(), scalar_compare_opcodes(), scalar_flow_opcodes(),
        scalar_memory_opcodes(), integer_move_opcodes(), integer_arithmetic_opcodes(), integer_bit_opcodes(),
        integer_16_opcodes(), integer_packed_opcodes(), integer_compare_opcodes(), float_f32_opcodes(),
        float_f64_opcodes(), float_f16_opcodes(), float_mix_opcodes(), float_packed_opcodes(), float_integral_opcodes(),
        float_division_opcodes(), float_compare_f32_opcodes(), float_compare_f64_opcodes(), float_compare_f16_opcodes(),
        conversion_opcodes(), conversion_scaled_opcodes(), matrix_opcodes(),
        cross_lane_opcodes(), lds_opcodes(), lds_atomic_opcodes(), lds_lanes_opcodes(), global_opcodes(),
        global_atomic_opcodes(), global_lds_opcodes(), buffer_opcodes()})
    for (const opcode& op : family) all.push_back(&op);
  return all;
}

const opcode* find_opcode(std::string_view mnemonic) {
  static const auto by_name = [] {
    std::unordered_map<std::string_view, const opcode*> names;
    for (const opcode* op : all_opcodes()) names.emplace(op->mnemonic, op);
    return names;
  }();
  const auto at = by_name.find(mnemonic);
  return at == by_name.end() ? nullptr : at->second;
}

}  // namespace adahop::hip::sim
