// Values of registers as text: hexadecimal, and as numbers where the opcode computes with floats. Decides only what is
// shown.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "sim/instruction.h"
#include "sim/wave.h"

namespace adahop::hip::sim {

enum class shown_as : uint8_t { bits, f16, bf16, f32, f64 };

/// What operand `n` of the text is, by the types in the mnemonic: the first is the result's, the last the sources'.
shown_as type_of_operand(const instruction& i, unsigned n);

/// A line for each vector register of the range, a pair for FP64, with the values of `lanes`, or one for all scalars:
/// "v3 3f800000 40000000  = 1, 2". `track` says that lanes never written are known: they are "????????".
std::string register_lines(const wave& w, const register_range& r, shown_as type, std::span<const unsigned> lanes,
                           const char* indent, bool track);

}  // namespace adahop::hip::sim
