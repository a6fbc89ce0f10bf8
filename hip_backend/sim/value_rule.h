// How an opcode hands on "has a value" from its sources to its results; decided once an instruction, when it is parsed.
#pragma once
#include <cstdint>

namespace adahop::hip::sim {

struct opcode;

enum class value_rule : uint8_t {
  nothing,        ///< no registers that matter: s_nop, s_waitcnt, s_barrier
  own,            ///< the handler keeps the books itself (copies between lanes)
  cross_lane,     ///< the handler checks its vector sources; results have values
  memory,         ///< every source is used: addresses and data
  matrix,         ///< every lane of every source is used
  branch,         ///< SCC or VCC is used
  vector,         ///< a lane of the results has a value where that lane of every source has
  vector_low,     ///< likewise, but the first result register needs only the first register of each source
  vector_halves,  ///< packed FP32: op_sel and op_sel_hi say which registers the results need
  vector_select,  ///< v_cndmask_b32: the source that the lane takes
  vector_pair,    ///< v_pk_mov_b32: one register of each source
  scalar,         ///< results have values where every source has
  scalar_copy,    ///< bit by bit
  scalar_select,  ///< s_cselect: the source taken
  bit_and, bit_or, bit_xor, bit_not, bit_andn1, bit_andn2, bit_orn1, bit_orn2,  ///< s_and_b64 and their like, bit by bit
};

value_rule value_rule_of(const opcode& op);

}  // namespace adahop::hip::sim
