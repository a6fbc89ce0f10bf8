// Reading operands as LLVM's AMDGPU printer writes them for gfx950.
#include "sim/operand_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace adahop::hip::sim {
namespace {

constexpr unsigned kVgprs = 256;
constexpr unsigned kSgprs = 102;   // s0-s101; above lie FLAT_SCRATCH, XNACK_MASK and VCC
constexpr unsigned kMaxTuple = 32;

struct named_register {
  std::string_view name;
  uint16_t reg;
  uint8_t width;
};
constexpr named_register kNamed[] = {
    {"vcc", kVccLow, 2},   {"vcc_lo", kVccLow, 1},   {"vcc_hi", kVccLow + 1, 1},   {"m0", kM0, 1},
    {"exec", kExecLow, 2}, {"exec_lo", kExecLow, 1}, {"exec_hi", kExecLow + 1, 1},
};

// The inline constants that are written with a point; LLVM shortens 1/(2 pi) for FP32 and not for FP64.
constexpr std::pair<std::string_view, double> kReals[] = {
    {"0.5", 0.5},   {"1.0", 1.0},   {"2.0", 2.0},   {"4.0", 4.0},  {"0.15915494", 0.15915494309189535},
    {"-0.5", -0.5}, {"-1.0", -1.0}, {"-2.0", -2.0}, {"-4.0", -4.0}, {"0.15915494309189532", 0.15915494309189535},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<unsigned> register_number(std::string_view digits) {
  unsigned n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (digits.empty() || !is_digit(digits[0]) || error != std::errc{} || end != digits.data() + digits.size()) return {};
  return n;
}

// "7" or "[4:7]", as first and last.
std::optional<std::pair<unsigned, unsigned>> register_span(std::string_view text) {
  if (text.empty()) return {};
  if (text.front() != '[') {
    const auto n = register_number(text);
    if (!n) return {};
    return std::pair(*n, *n);
  }
  const size_t colon = text.find(':');
  if (text.back() != ']' || colon == std::string_view::npos) return {};
  const auto first = register_number(text.substr(1, colon - 1));
  const auto last = register_number(text.substr(colon + 1, text.size() - colon - 2));
  if (!first || !last || *last <= *first) return {};
  return std::pair(*first, *last);
}

result<operand> vector_register(std::string_view text, unsigned first, unsigned last) {
  const unsigned width = last - first + 1;
  if (last >= kVgprs || width > kMaxTuple) return unsupported(fmt::format("no vector registers {}", text));
  if (width > 1 && first % 2 != 0)
    return unsupported(fmt::format("{}: more than one vector register starts at an even number on gfx950", text));
  operand o;
  o.kind = operand_kind::vector;
  o.reg = static_cast<uint16_t>(first + (text.front() == 'a' ? kFirstAgpr : 0u));
  o.width = static_cast<uint8_t>(width);
  return o;
}

result<operand> scalar_register(std::string_view text, unsigned first, unsigned last) {
  const unsigned width = last - first + 1;
  if (last >= kSgprs || width > kMaxTuple) return unsupported(fmt::format("no scalar registers {}", text));
  const unsigned alignment = width == 1 ? 1 : width == 2 ? 2 : 4;
  if (first % alignment != 0)
    return unsupported(fmt::format("{}: {} scalar registers start at a multiple of {}", text, width, alignment));
  operand o;
  o.kind = operand_kind::scalar;
  o.reg = static_cast<uint16_t>(first);
  o.width = static_cast<uint8_t>(width);
  return o;
}

result<operand> constant(std::string_view text) {
  operand o;
  o.kind = operand_kind::constant;
  for (const auto& [name, value] : kReals) {
    if (text != name) continue;
    o.is_real = true;
    o.real = value;
    return o;
  }
  const auto value = parse_integer(text);
  if (!value) return unsupported(fmt::format("no operand of a kernel is written '{}'", text));
  if (*value > int64_t{UINT32_MAX} || *value < int64_t{INT32_MIN})
    return unsupported(fmt::format("{} does not fit in a literal of 32 bits", text));
  o.integer = *value;
  return o;
}

result<operand> plain_operand(std::string_view text) {
  if (text == "off") return operand{};
  for (const named_register& r : kNamed) {
    if (text != r.name) continue;
    operand o;
    o.kind = operand_kind::scalar;
    o.reg = r.reg;
    o.width = r.width;
    return o;
  }
  if (const char file = text.empty() ? '\0' : text.front(); file == 'v' || file == 'a' || file == 's') {
    if (const auto span = register_span(text.substr(1)))
      return file == 's' ? scalar_register(text, span->first, span->second)
                         : vector_register(text, span->first, span->second);
  }
  return constant(text);
}

// The inside of "prefix(...)" or "|...|"; empty when the text is not of that kind.
std::string_view inside(std::string_view text, std::string_view before, std::string_view after) {
  if (text.size() <= before.size() + after.size() || !text.starts_with(before) || !text.ends_with(after)) return {};
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size() || magnitude > INT64_MAX) return {};
  const auto value = static_cast<int64_t>(magnitude);
  return negative ? -value : value;
}

result<operand> parse_operand(std::string_view text) {
  bool negate = false, absolute = false, sign_extend = false;
  if (const auto in = inside(text, "sext(", ")"); !in.empty()) {
    sign_extend = true;
    text = in;
  } else {
    if (const auto wrapped = inside(text, "neg(", ")"); !wrapped.empty()) {
      negate = true;
      text = wrapped;
    } else if (text.size() > 1 && text[0] == '-' && text[1] != '-' && !is_digit(text[1])) {  // -1 is a number
      negate = true;
      text.remove_prefix(1);
    }
    auto magnitude = inside(text, "|", "|");
    if (magnitude.empty()) magnitude = inside(text, "abs(", ")");
    if (!magnitude.empty()) {
      absolute = true;
      text = magnitude;
    }
  }
  result<operand> o = plain_operand(text);
  if (!o.ok()) return o;
  if ((negate || absolute || sign_extend) && o.value().kind == operand_kind::none)
    return unsupported("'off' takes no sign");
  o.value().negate = negate;
  o.value().absolute = absolute;
  o.value().sign_extend = sign_extend;
  return o;
}

}  // namespace adahop::hip::sim
