// The text of one operand, of a register range or of a number. Decides which registers and constants exist for a kernel;
// widths are checked against the opcode's form elsewhere.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "adahop/status.h"
#include "sim/instruction.h"

namespace adahop::hip::sim {

/// v1, a[0:3], s[4:5], vcc, vcc_lo, exec, m0, off, 0x10, -1, 0.5, -v1, |v1|, -|v1|, neg(1.0), abs(s2), sext(v1).
/// ADAHOP_UNSUPPORTED with one line on anything else: other registers (flat_scratch, ttmp0, src_shared_base), tuples that
/// are not aligned as gfx950 demands, constants that no encoding has.
result<operand> parse_operand(std::string_view text);

/// Decimal or 0x hexadecimal, with or without '-'; nothing may follow.
std::optional<int64_t> parse_integer(std::string_view text);

}  // namespace adahop::hip::sim
