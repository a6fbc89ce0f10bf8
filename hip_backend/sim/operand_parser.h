// From the disassembler's text of one instruction to a bound instruction.
#pragma once
#include <cstdint>
#include <string_view>

#include "adahop/status.h"
#include "sim/instruction.h"

namespace adahop::hip::sim {

/// `text` as LLVM prints it ("v_add_u32_e32 v0, s1, v2"), `address` and `bytes` as the decoder counts. The result has
/// everything but index and target; operand 0 of a branch is its distance in dwords from the next instruction, signed.
/// ADAHOP_UNSUPPORTED: an unknown mnemonic, operand or modifier, or one that the opcode does not take; the line names
/// address and text.
result<instruction> parse_instruction(std::string_view text, uint64_t address, uint32_t bytes);

}  // namespace adahop::hip::sim
