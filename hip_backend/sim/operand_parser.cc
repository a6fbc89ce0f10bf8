// Splitting an instruction's text and binding its opcode.
#include "sim/operand_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "sim/lanes.h"
#include "sim/modifier_text.h"
#include "sim/opcode.h"
#include "sim/operand_form.h"
#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The mnemonic without the suffix of its encoding.
std::string_view without_suffix(std::string_view mnemonic, encoding& how) {
  constexpr std::pair<std::string_view, encoding> kSuffixes[] = {{"_e32", encoding::plain},
                                                                 {"_e64", encoding::plain},
                                                                 {"_dpp", encoding::dpp},
                                                                 {"_sdwa", encoding::sdwa}};
  for (const auto& [suffix, encoded] : kSuffixes) {
    if (!mnemonic.ends_with(suffix)) continue;
    how = encoded;
    return mnemonic.substr(0, mnemonic.size() - suffix.size());
  }
  how = encoding::plain;
  return mnemonic;
}

// Loads of buffers into LDS have a modifier where LLVM's other loads into LDS have a name; here both have a name.
std::string opcode_name(std::string_view mnemonic, std::string_view rest) {
  const bool into_lds = mnemonic.starts_with("buffer_load") && rest.ends_with(" lds");
  return std::string(mnemonic) + (into_lds ? "_lds" : "");
}

// Takes the operands off the front of `rest`: separated by commas, ended by the first blank that follows none.
status take_operands(std::string_view& rest, instruction& i) {
  for (bool more = !rest.empty(); more;) {
    const size_t end = std::min(rest.find_first_of(", "), rest.size());
    const std::string_view text = rest.substr(0, end);
    if (i.operand_count == kMaxOperands) return unsupported("too many operands");
    auto o = parse_operand(text);
    if (!o.ok()) return o.why();
    i.operands[i.operand_count++] = o.value();
    more = end < rest.size() && rest[end] == ',';
    rest = trimmed(rest.substr(std::min(end + (more ? 1 : 0), rest.size())));
  }
  return {};
}

// The distance of a branch, 16 bits of two's complement that LLVM prints unsigned.
status settle_branch(instruction& i) {
  operand& o = i.operands[0];
  if (i.operand_count != 1 || o.kind != operand_kind::constant || o.integer < -0x8000 || o.integer > 0xFFFF)
    return unsupported("a branch takes a distance of 16 bits");
  o.integer = static_cast<int16_t>(o.integer);
  return {};
}

status fill(instruction& i) {
  std::string_view rest = i.text;
  const std::string_view mnemonic = rest.substr(0, std::min(rest.find_first_of(kBlanks), rest.size()));
  rest = trimmed(rest.substr(mnemonic.size()));
  encoding how = encoding::plain;
  i.op = find_opcode(opcode_name(without_suffix(mnemonic, how), rest));
  if (i.op == nullptr) return unsupported("an instruction that the simulator does not know");
  i.run = i.op->run;
  i.rule = value_rule_of(*i.op);
  if (how != encoding::plain && (i.op->flags & kSdwaDpp) == 0)
    return unsupported("this instruction is not simulated with SDWA or DPP");
  if (!i.op->form.empty()) ADAHOP_TRY(take_operands(rest, i));
  ADAHOP_TRY(parse_modifiers(rest, *i.op, how, i.mod));
  if (how == encoding::dpp) bind_dpp(i.mod.dpp);
  ADAHOP_TRY(bind_form(i));
  return (i.op->flags & kBranch) != 0 ? settle_branch(i) : status{};
}

}  // namespace

result<instruction> parse_instruction(std::string_view text, uint64_t address, uint32_t bytes) {
  instruction i;
  i.text = trimmed(text);
  i.address = address;
  i.bytes = bytes;
  if (status s = fill(i); !s.ok())
    return unsupported(fmt::format("instruction at 0x{:x}, '{}': {}", address, i.text, s.message()));
  return i;
}

}  // namespace adahop::hip::sim
