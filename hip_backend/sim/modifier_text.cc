// Reading modifiers as LLVM's AMDGPU printer writes them for gfx950.
#include "sim/modifier_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

using answer = std::optional<std::string>;  // nothing: not this kind; "": read; else why not

constexpr std::string_view kDoesNotFit = "does not fit", kNotTaken = "is not taken by this instruction";

answer said(bool taken, bool fits) { return std::string(!taken ? kNotTaken : !fits ? kDoesNotFit : ""); }

template <class T>
bool read_range(std::string_view value, int64_t low, int64_t high, T& out) {
  const auto n = parse_integer(value);
  if (!n || *n < low || *n > high) return false;
  out = static_cast<T>(*n);
  return true;
}

// "[1,0,1]": bit i is the i-th number.
bool read_bits(std::string_view value, uint8_t& bits) {
  if (value.size() < 3 || value.size() > 9 || value.size() % 2 == 0 || value.front() != '[' || value.back() != ']')
    return false;
  bits = 0;
  for (size_t n = 1; n + 1 < value.size(); ++n) {
    if (n % 2 == 0 ? value[n] != ',' : value[n] != '0' && value[n] != '1') return false;
    if (value[n] == '1') bits = static_cast<uint8_t>(bits | 1u << (n / 2));
  }
  return true;
}

// vmcnt(0): only s_waitcnt has these.
answer wait_counter(std::string_view token, const opcode& op, modifiers& mod) {
  struct counter {
    std::string_view name;
    int64_t most;
    uint8_t modifiers::*where;
  };
  constexpr counter kCounters[] = {{"vmcnt(", 63, &modifiers::wait_vm},
                                   {"expcnt(", 7, &modifiers::wait_exp},
                                   {"lgkmcnt(", 15, &modifiers::wait_lgkm}};
  for (const counter& c : kCounters) {
    if (!token.starts_with(c.name)) continue;
    const bool closed = token.ends_with(')');
    const std::string_view value = token.substr(c.name.size(), token.size() - c.name.size() - (closed ? 1 : 0));
    return said(op.mnemonic == "s_waitcnt", closed && read_range(value, 0, c.most, mod.*c.where));
  }
  return {};
}

answer memory_modifier(std::string_view name, std::string_view value, const opcode& op, modifiers& mod) {
  const bool lds = op.mnemonic.starts_with("ds_"), global = op.mnemonic.starts_with("global_");
  const bool scalar = op.mnemonic.starts_with("s_"), buffer = op.mnemonic.starts_with("buffer_");
  if (name == "offset") {
    const bool taken = (op.flags & kOffset) != 0;
    if (value.starts_with("swizzle(")) {
      const auto swizzle = parse_swizzle(value);
      if (swizzle) mod.offset = *swizzle;
      return said(taken && op.mnemonic == "ds_swizzle_b32", swizzle.has_value());
    }
    const int64_t low = lds || buffer ? 0 : global ? -4096 : -(1 << 20);
    const int64_t high = lds ? 65535 : global || buffer ? 4095 : (1 << 20) - 1;
    return said(taken, read_range(value, low, high, mod.offset));
  }
  if (name == "offset0") return said((op.flags & kOffsets) != 0, read_range(value, 0, 255, mod.offset0));
  if (name == "offset1") return said((op.flags & kOffsets) != 0, read_range(value, 0, 255, mod.offset1));
  // Cache policies: no effect where one device sees one memory.
  if (name == "sc0" || name == "sc1" || name == "nt")
    return said(global || buffer, value.empty());
  if (name == "offen") {
    mod.offen = true;
    return said(buffer && (op.flags & kOffset) != 0, value.empty());
  }
  if (name == "lds") return said(buffer && op.mnemonic.ends_with("_lds"), value.empty());
  if (name == "glc") return said(scalar && (op.flags & kScalarLoad) != 0, value.empty());
  return {};
}

answer matrix_modifier(std::string_view name, std::string_view value, const opcode& op, modifiers& mod) {
  const bool taken = (op.flags & kMatrix) != 0;
  if (name == "cbsz") return said(taken, read_range(value, 0, 7, mod.cbsz));
  if (name == "abid") return said(taken, read_range(value, 0, 15, mod.abid));
  if (name == "blgp") return said(taken, read_range(value, 0, 7, mod.blgp));
  return {};
}

answer arithmetic_modifier(std::string_view name, std::string_view value, const opcode& op, modifiers& mod) {
  const bool packed = (op.flags & kVop3p) != 0, real = (op.flags & kFloatModifiers) != 0;
  if (name == "op_sel") return said(packed || (op.flags & kOpSel) != 0, read_bits(value, mod.op_sel));
  if (name == "op_sel_hi") return said(packed, read_bits(value, mod.op_sel_hi));
  if (name == "neg_lo") return said(packed, read_bits(value, mod.neg_lo));
  if (name == "neg_hi") return said(packed, read_bits(value, mod.neg_hi));
  if (name == "bitop3") return said((op.flags & kBitop) != 0, read_range(value, 0, 255, mod.bitop3));
  if (name == "clamp") {
    mod.clamp = true;
    return said(real || (op.flags & kClamp) != 0, value.empty());
  }
  if (name == "mul") {
    mod.output = value == "2" ? omod::mul_2 : omod::mul_4;
    return said(real, value == "2" || value == "4");
  }
  if (name == "div") {
    mod.output = omod::div_2;
    return said(real, value == "2");
  }
  if ((op.flags & kSwap) != 0 && name == "fi") {
    mod.fetch_inactive = true;
    return said(true, value == "1");
  }
  if ((op.flags & kSwap) != 0 && name == "bound_ctrl") {
    mod.dpp.bound_ctrl = true;
    return said(true, value == "1");
  }
  return {};
}

// The whole token or what stands before its colon; modifiers that exclude each other share a name.
std::string_view name_of(std::string_view token) {
  return token.substr(0, std::min(token.find_first_of(":("), token.size()));
}

std::string parse_one(std::string_view token, const opcode& op, encoding how, modifiers& mod) {
  if (const auto a = wait_counter(token, op, mod)) return *a;
  const size_t colon = token.find(':');
  const std::string_view name = token.substr(0, colon);
  const std::string_view value = colon == std::string_view::npos ? std::string_view{} : token.substr(colon + 1);
  if (colon != std::string_view::npos && value.empty()) return std::string(kDoesNotFit);
  if (const auto a = memory_modifier(name, value, op, mod)) return *a;
  if (const auto a = matrix_modifier(name, value, op, mod)) return *a;
  if (const auto a = arithmetic_modifier(name, value, op, mod)) return *a;
  if (const auto a = parse_lane_modifier(name, value, how, mod)) return *a;
  return "is not a modifier that the simulator knows";
}

}  // namespace

status parse_modifiers(std::string_view text, const opcode& op, encoding how, modifiers& mod) {
  // Only of packed instructions does op_sel_hi select halves by default; of v_fma_mix it selects FP16 (LLVM prints it when
  // not zero).
  if (op.mnemonic.starts_with("v_fma_mix")) mod.op_sel_hi = 0;
  mod.sdwa.present = how == encoding::sdwa;

  std::vector<std::string_view> seen;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view token = text.substr(0, blank);
    text.remove_prefix(std::min(text.find_first_not_of(' ', blank), text.size()));
    if (token.empty()) continue;
    const std::string_view name = name_of(token);
    const bool again = std::find(seen.begin(), seen.end(), name) != seen.end();
    const std::string why = again ? "stands twice" : parse_one(token, op, how, mod);
    if (!why.empty()) return unsupported(fmt::format("modifier '{}' {}", token, why));
    seen.push_back(name);
  }
  if (mod.output == omod::div_2 && std::find(seen.begin(), seen.end(), "mul") != seen.end())
    return unsupported("modifiers mul and div exclude each other");
  if (how == encoding::dpp && mod.dpp.pattern == dpp_pattern::none)
    return unsupported("a _dpp instruction without a pattern");
  return {};
}

}  // namespace adahop::hip::sim
