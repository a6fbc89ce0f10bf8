// What follows an instruction's operands: offsets, selections, masks, cache policies, wait counts. Decides which
// modifiers there are and which opcodes take them; whatever else is written is refused.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "adahop/status.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {

/// The suffix of the mnemonic, as far as it matters: _dpp and _sdwa bring modifiers of their own.
enum class encoding : uint8_t { plain, dpp, sdwa };

/// Reads blank-separated modifiers into `mod`. ADAHOP_UNSUPPORTED, one line: not known, given twice, out of range, or not
/// taken by this opcode in this encoding.
status parse_modifiers(std::string_view text, const opcode& op, encoding how, modifiers& mod);

/// Of parse_modifiers(): reads `name` of `name:value` if it is a DPP or SDWA modifier. Nothing when it is neither; "" when
/// it was read; else why not.
std::optional<std::string> parse_lane_modifier(std::string_view name, std::string_view value, encoding how,
                                               modifiers& mod);

/// The 16-bit offset of ds_swizzle_b32 from LLVM's "swizzle(SWAP,16)" (LLVM, AMDGPU modifier syntax); nothing when it is
/// not one of its forms.
std::optional<uint16_t> parse_swizzle(std::string_view text);

}  // namespace adahop::hip::sim
