// Scalar loads, from the ISA manual's chapter on SMEM: the address is the base plus an unsigned offset register plus a signed
// immediate. The simulator leaves out s_buffer_load_* and everything that writes.
#include "sim/launch_memory.h"
#include "sim/opcode.h"
#include "sim/scalar.h"
#include "sim/waiting.h"

namespace adahop::hip::sim {
namespace {

uint64_t address_of(const wave& w, const instruction& i) {
  const operand& offset = i.operands[2];
  const int64_t by = offset.kind == operand_kind::scalar ? int64_t{w.sgpr[offset.reg]} : offset.integer;
  return read_scalar64(w, i.operands[1]) + static_cast<uint64_t>(by) + static_cast<uint64_t>(int64_t{i.mod.offset});
}

template <unsigned Dwords>
void load(wave& w, const instruction& i) {
  uint32_t values[Dwords];
  load_scalar(w, i, address_of(w, i), values, Dwords);
  for (unsigned n = 0; n < Dwords; ++n) w.sgpr[i.operands[0].reg + n] = values[n];
  begin_access(w, i);
}

constexpr opcode kOpcodes[] = {
    {"s_load_dword", "M1 m2 m1", load<1>, kScalarLoad | kOffset, certainty::manual},
    {"s_load_dwordx2", "M2 m2 m1", load<2>, kScalarLoad | kOffset, certainty::manual},
    {"s_load_dwordx4", "M4 m2 m1", load<4>, kScalarLoad | kOffset, certainty::manual},
    {"s_load_dwordx8", "M8 m2 m1", load<8>, kScalarLoad | kOffset, certainty::manual},
    {"s_load_dwordx16", "M16 m2 m1", load<16>, kScalarLoad | kOffset, certainty::manual},
};

}  // namespace

std::span<const opcode> scalar_memory_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
