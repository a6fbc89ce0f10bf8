// Scalar operands of a handler. Decides nothing numeric.
#pragma once
#include <cstdint>

#include "sim/lanes.h"

namespace adahop::hip::sim {

inline uint32_t read_scalar(const wave& w, const operand& o) {
  return o.kind == operand_kind::scalar ? w.sgpr[o.reg] : constant_u32(o);
}
inline uint64_t read_scalar64(const wave& w, const operand& o) {
  return o.kind == operand_kind::scalar ? w.pair(o.reg) : constant_u64(o);
}
inline void write_scalar(wave& w, const operand& o, uint32_t v) { w.sgpr[o.reg] = v; }
inline void write_scalar64(wave& w, const operand& o, uint64_t v) { w.set_pair(o.reg, v); }

}  // namespace adahop::hip::sim
