// Vector integer and bit operations, from the ISA manual's pseudocode.
#include "sim/opcode.h"
#include "sim/valu.h"

namespace adahop::hip::sim {
namespace {

constexpr uint32_t move(uint32_t a) { return a; }
constexpr uint32_t add(uint32_t a, uint32_t b) { return a + b; }
constexpr uint32_t bit_and(uint32_t a, uint32_t b) { return a & b; }
constexpr uint32_t add3(uint32_t a, uint32_t b, uint32_t c) { return a + b + c; }

constexpr opcode kOpcodes[] = {
    {"v_mov_b32", "D1 s1", per_lane<move, 1>, kMove | kSdwaDpp, certainty::manual},
    {"v_add_u32", "D1 s1 s1", per_lane<add, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_and_b32", "D1 s1 s1", per_lane<bit_and, 1, 2>, kSdwaDpp, certainty::manual},
    {"v_add3_u32", "D1 s1 s1 s1", per_lane<add3, 1, 2, 3>, kPlain, certainty::manual},
};

}  // namespace

std::span<const opcode> integer_arithmetic_opcodes() { return kOpcodes; }

}  // namespace adahop::hip::sim
