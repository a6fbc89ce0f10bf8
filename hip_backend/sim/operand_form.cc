// Matching operands with the letters of a form, as opcode.h defines them.
#include "sim/operand_form.h"

#include <fmt/format.h>

#include <array>

namespace adahop::hip::sim {
namespace {

struct form_item {
  char letter = 0;
  unsigned width = 1;
};
struct form_items {
  std::array<form_item, kMaxOperands> item;
  unsigned count = 0;
};

// Forms are the opcode tables' own text: letters, each with at most two digits.
form_items items_of(std::string_view form) {
  form_items f;
  for (size_t at = 0; at < form.size() && f.count < kMaxOperands;) {
    if (form[at] == ' ') {
      ++at;
      continue;
    }
    form_item& item = f.item[f.count++];
    item.letter = form[at++];
    unsigned width = 0;
    for (; at < form.size() && form[at] >= '0' && form[at] <= '9'; ++at)
      width = 10 * width + static_cast<unsigned>(form[at] - '0');
    if (width != 0) item.width = width;
  }
  return f;
}

// Of the alternatives that '|' separates, the one with as many operands as the instruction has.
bool choose(std::string_view form, unsigned operands, form_items& chosen) {
  for (size_t at = 0; at <= form.size();) {
    const size_t bar = std::min(form.find('|', at), form.size());
    chosen = items_of(form.substr(at, bar - at));
    if (chosen.count == operands) return true;
    at = bar + 1;
  }
  return false;
}

// Registers of a f8f6f4 operand (ISA manual: 256, 192 or 128 bits a lane); 0 for a format that there is not.
unsigned matrix_width(unsigned format) {
  constexpr unsigned kFp4 = 4;
  if (format > kFp4) return 0;
  return format <= 1 ? 8 : format == kFp4 ? 4 : 6;
}

// The items with the widths that depend on the instruction put in.
void settle_widths(const instruction& i, form_items& f) {
  bool has_base = false, scalar_base = false;
  for (unsigned n = 0; n < f.count; ++n) {
    form_item& item = f.item[n];
    if (item.letter == 'A') item.width = matrix_width(i.mod.cbsz);
    if (item.letter == 'B') item.width = matrix_width(i.mod.blgp);
    if (item.letter != 'o') continue;
    has_base = true;
    scalar_base = i.operands[n].kind == operand_kind::scalar;
  }
  if (!has_base) return;
  for (unsigned n = 0; n < f.count; ++n) {
    form_item& item = f.item[n];
    if (item.letter != 'v' || item.width != 2) continue;
    item.width = scalar_base ? 1 : 2;
    return;
  }
}

std::string kind_wanted(char letter) {
  switch (letter) {
    case 'D': case 'X': case 'v': case 'A': case 'B': return "vector registers";
    case 'M': case 'Y': return "scalar registers";
    case 's': return "a vector, scalar or constant source";
    case 'm': return "a scalar or constant source";
    case 'i': return "an integer";
    case 'o': return "'off' or a pair of scalar registers";
    case 'b': return "'off' or, with offen, an offset";
    case 'r': return "scalar registers";
    default: return "nothing the simulator knows";
  }
}

bool kind_fits(char letter, const operand& o, bool offen) {
  const bool vector = o.kind == operand_kind::vector, scalar = o.kind == operand_kind::scalar;
  const bool constant = o.kind == operand_kind::constant;
  switch (letter) {
    case 'D': case 'X': case 'v': case 'A': case 'B': return vector;
    case 'M': case 'Y': return scalar;
    case 's': return vector || scalar || constant;
    case 'm': return scalar || constant;
    case 'i': return constant && !o.is_real;
    case 'o': return o.kind == operand_kind::none || (scalar && o.width == 2);
    case 'b': return offen ? vector : o.kind == operand_kind::none;
    case 'r': return scalar;
    default: return false;
  }
}

bool is_source(char letter) { return letter == 'v' || letter == 's' || letter == 'm' || letter == 'A' || letter == 'B'; }
bool is_written(char letter) { return letter == 'D' || letter == 'X' || letter == 'M' || letter == 'Y'; }
bool is_read(char letter) { return letter != 'D' && letter != 'M' && letter != 'i'; }

status check_operand(const instruction& i, unsigned n, const form_item& item) {
  const operand& o = i.operands[n];
  if (!kind_fits(item.letter, o, i.mod.offen)) return unsupported(fmt::format("operand {} must be {}", n + 1, kind_wanted(item.letter)));
  const bool has_width = o.kind == operand_kind::vector || o.kind == operand_kind::scalar;
  if (has_width && item.letter != 'o' && o.width != item.width)
    return unsupported(fmt::format("operand {} has {} registers, {} expected", n + 1, o.width, item.width));
  if (o.negate || o.absolute) {
    if (!is_source(item.letter) || (i.op->flags & kFloatModifiers) == 0)
      return unsupported(fmt::format("operand {} takes no neg or abs", n + 1));
  }
  if (o.sign_extend && (!i.mod.sdwa.present || !is_source(item.letter)))
    return unsupported(fmt::format("operand {} takes no sext", n + 1));
  return {};
}

}  // namespace

status bind_form(instruction& i) {
  form_items f;
  if (!choose(i.op->form, i.operand_count, f))
    return unsupported(fmt::format("{} operands, the form is '{}'", i.operand_count, i.op->form));
  settle_widths(i, f);

  i.read_count = i.write_count = 0;
  bool room = true;
  const auto list = [&](auto& ranges, uint8_t& count, operand_kind kind, unsigned reg, unsigned width) {
    if (count == ranges.size()) {
      room = false;
      return;
    }
    ranges[count++] = {kind, static_cast<uint16_t>(reg), static_cast<uint8_t>(width)};
  };
  for (unsigned n = 0; n < f.count; ++n) {
    ADAHOP_TRY(check_operand(i, n, f.item[n]));
    const operand& o = i.operands[n];
    if (o.kind != operand_kind::vector && o.kind != operand_kind::scalar) continue;
    if (is_read(f.item[n].letter)) list(i.reads, i.read_count, o.kind, o.reg, o.width);
    if (is_written(f.item[n].letter)) list(i.writes, i.write_count, o.kind, o.reg, o.width);
  }
  const uint32_t flags = i.op->flags;
  if (flags & kReadsVcc) list(i.reads, i.read_count, operand_kind::scalar, kVccLow, 2);
  if (flags & kReadsExec) list(i.reads, i.read_count, operand_kind::scalar, kExecLow, 2);
  if (flags & kReadsM0) list(i.reads, i.read_count, operand_kind::scalar, kM0, 1);
  if (flags & kWritesVcc) list(i.writes, i.write_count, operand_kind::scalar, kVccLow, 2);
  if (flags & kWritesExec) list(i.writes, i.write_count, operand_kind::scalar, kExecLow, 2);
  return room ? status{} : unsupported("more registers than an instruction's lists hold");
}

}  // namespace adahop::hip::sim
