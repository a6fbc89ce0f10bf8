// Registers as text. The types come from the names of the ISA manual's opcodes.
#include "sim/trace_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "sim/opcode.h"
#include "sim/register_checks.h"

namespace adahop::hip::sim {
namespace {

struct named_type {
  std::string_view name;
  shown_as type;
};
// Every type that stands in a vector opcode's name; what is no float here is shown as bits.
constexpr named_type kTypes[] = {
    {"f16", shown_as::f16},     {"bf16", shown_as::bf16},   {"f32", shown_as::f32},   {"f64", shown_as::f64},
    {"fp4", shown_as::bits},    {"fp6", shown_as::bits},    {"bf6", shown_as::bits},  {"fp8", shown_as::bits},
    {"bf8", shown_as::bits},    {"f8f6f4", shown_as::bits}, {"xf32", shown_as::bits}, {"i4", shown_as::bits},
    {"i8", shown_as::bits},     {"u8", shown_as::bits},     {"i16", shown_as::bits},  {"u16", shown_as::bits},
    {"b16", shown_as::bits},    {"i24", shown_as::bits},    {"u24", shown_as::bits},  {"i32", shown_as::bits},
    {"u32", shown_as::bits},    {"b32", shown_as::bits},    {"i64", shown_as::bits},  {"u64", shown_as::bits},
    {"b64", shown_as::bits},    {"ubyte0", shown_as::bits}, {"ubyte1", shown_as::bits}, {"ubyte2", shown_as::bits},
    {"ubyte3", shown_as::bits}};

struct result_and_source {
  shown_as result = shown_as::bits, source = shown_as::bits;
};

result_and_source types_in(std::string_view mnemonic) {
  result_and_source found;
  bool any = false;
  while (!mnemonic.empty()) {
    const size_t end = std::min(mnemonic.find('_'), mnemonic.size());
    const std::string_view token = mnemonic.substr(0, end);
    mnemonic.remove_prefix(std::min(end + 1, mnemonic.size()));
    for (const named_type& t : kTypes) {
      if (t.name != token) continue;
      if (!any) found.result = t.type;
      found.source = t.type;
      any = true;
    }
  }
  return found;
}

// Sources that are no value of the opcode's type: exponents, masks of classes, random bits, mixed halves.
bool is_other_source(std::string_view name, unsigned n, unsigned last) {
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  return (has("_ldexp_") && n == 2) || (has("_cmp_class_") && n == 2) || has("_mix") || (has("_cvt_pk_u8_") && n != 1) ||
         (has("_sr_") && n == last);
}

std::string float_text(uint32_t v, shown_as type) {
  const auto f16 = [](uint32_t h) {
    const int exponent = static_cast<int>(h >> 10 & 0x1F), fraction = static_cast<int>(h & 0x3FF);
    const float magnitude = exponent == 0x1F ? (fraction == 0 ? INFINITY : NAN)
                            : exponent == 0  ? std::ldexp(static_cast<float>(fraction), -24)
                                             : std::ldexp(static_cast<float>(0x400 + fraction), exponent - 25);
    return (h >> 15 & 1) != 0 ? -magnitude : magnitude;
  };
  const auto bf16 = [](uint32_t h) { return std::bit_cast<float>(h << 16); };
  switch (type) {
    case shown_as::f32: return fmt::format("{}", std::bit_cast<float>(v));
    case shown_as::f16: return fmt::format("{}:{}", f16(v & 0xFFFF), f16(v >> 16));
    case shown_as::bf16: return fmt::format("{}:{}", bf16(v & 0xFFFF), bf16(v >> 16));
    case shown_as::f64:
    case shown_as::bits: break;
  }
  return {};
}

std::string vector_line(const wave& w, unsigned reg, bool pair, shown_as type, std::span<const unsigned> lanes, bool track) {
  std::string bits, floats;
  for (const unsigned l : lanes) {
    const auto has_value = [&](unsigned r) { return !track || (w.vgpr_defined[r] >> l & 1) != 0; };
    const bool known = has_value(reg) && (!pair || has_value(reg + 1));
    const uint64_t v = w.vgpr[reg][l] | (pair ? uint64_t{w.vgpr[reg + 1][l]} << 32 : 0);
    bits += !known ? (pair ? " ????????????????" : " ????????") : pair ? fmt::format(" {:016x}", v) : fmt::format(" {:08x}", v);
    if (type == shown_as::bits) continue;
    floats += floats.empty() ? "  = " : ", ";
    floats += !known ? "?" : pair ? fmt::format("{}", std::bit_cast<double>(v)) : float_text(static_cast<uint32_t>(v), type);
  }
  return bits + floats;
}

// "s[24:27]", "vcc": a range of scalars as the disassembler writes it.
std::string scalar_range_name(const register_range& r) {
  const std::string first = register_name(r.kind, r.reg);
  if (r.width == 1) return first;
  if (const size_t half = first.find("_lo"); half != first.npos) return first.substr(0, half);
  return fmt::format("s[{}:{}]", r.reg, r.reg + r.width - 1u);
}

std::string scalar_line(const wave& w, const register_range& r, shown_as type, bool track) {
  std::string bits, floats;
  for (unsigned reg = r.reg; reg < unsigned{r.reg} + r.width; ++reg) {
    const bool known = !track || w.sgpr_defined[reg] != 0;
    bits += known ? fmt::format(" {:08x}", w.sgpr[reg]) : " ????????";
    if (type == shown_as::bits || (type == shown_as::f64 && (reg - r.reg) % 2 == 0)) continue;
    floats += floats.empty() ? "  = " : ", ";
    floats += !known                 ? "?"
              : type == shown_as::f64 ? fmt::format("{}", std::bit_cast<double>(w.pair(reg - 1)))
                                      : float_text(w.sgpr[reg], type);
  }
  return bits + floats;
}

}  // namespace

shown_as type_of_operand(const instruction& i, unsigned n) {
  const std::string_view name = i.op->mnemonic;
  if (!name.starts_with("v_") || n >= i.operand_count) return shown_as::bits;
  const result_and_source types = types_in(name);
  const unsigned last = i.operand_count - 1u;
  const bool is_matrix = name.starts_with("v_mfma") || name.starts_with("v_dot");
  if (n == 0) return i.operands[0].kind == operand_kind::scalar ? shown_as::bits : types.result;
  // Behind the three matrices come their scales.
  if (is_matrix) return n <= 2 ? types.source : n == 3 ? types.result : shown_as::bits;
  if (name.find("_scalef32_") != name.npos && n == last) return shown_as::f32;
  // A lane mask beside a vector result: v_div_scale, v_add_co.
  const bool second_result = i.operands[n].kind == operand_kind::scalar && n == 1 && name.find("_div_scale_") != name.npos;
  if (second_result || (is_other_source(name, n, last) && name.find("_scalef32_") == name.npos)) return shown_as::bits;
  if (name.find("_scalef32_sr_") != name.npos && n == last - 1) return shown_as::bits;
  return types.source;
}

std::string register_lines(const wave& w, const register_range& r, shown_as type, std::span<const unsigned> lanes,
                           const char* indent, bool track) {
  if (r.kind == operand_kind::scalar)
    return fmt::format("{}{:<8}{}\n", indent, scalar_range_name(r), scalar_line(w, r, type, track));
  std::string text;
  if (r.kind != operand_kind::vector) return text;
  const bool pairs = type == shown_as::f64 && r.width % 2 == 0;
  for (unsigned n = 0; n < r.width; n += pairs ? 2 : 1)
    text += fmt::format("{}{:<8}{}\n", indent, register_name(r.kind, r.reg + n),
                        vector_line(w, r.reg + n, pairs, type, lanes, track));
  return text;
}

}  // namespace adahop::hip::sim
