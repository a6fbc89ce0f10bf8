// Modifiers of the encodings VOP_DPP and VOP_SDWA.
#include <array>
#include <utility>

#include "sim/modifier_text.h"
#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

using answer = std::optional<std::string>;

template <class T, size_t N>
std::optional<T> named(const std::pair<std::string_view, T> (&names)[N], std::string_view name) {
  for (const auto& [known, value] : names)
    if (known == name) return value;
  return {};
}

std::optional<int64_t> in_range(std::string_view value, int64_t low, int64_t high) {
  const auto n = parse_integer(value);
  return n && *n >= low && *n <= high ? n : std::nullopt;
}

struct shift_range {
  dpp_pattern pattern;
  uint8_t low, high;
};
constexpr std::pair<std::string_view, shift_range> kShifts[] = {
    {"row_shl", {dpp_pattern::row_shl, 1, 15}},   {"row_shr", {dpp_pattern::row_shr, 1, 15}},
    {"row_ror", {dpp_pattern::row_ror, 1, 15}},   {"row_newbcast", {dpp_pattern::row_newbcast, 0, 15}},
    {"wave_shl", {dpp_pattern::wave_shl, 1, 1}},  {"wave_shr", {dpp_pattern::wave_shr, 1, 1}},
    {"wave_rol", {dpp_pattern::wave_rol, 1, 1}},  {"wave_ror", {dpp_pattern::wave_ror, 1, 1}},
    {"row_bcast", {dpp_pattern::row_bcast, 15, 31}},
};
constexpr std::pair<std::string_view, sdwa_select> kSelects[] = {
    {"BYTE_0", sdwa_select::byte_0}, {"BYTE_1", sdwa_select::byte_1}, {"BYTE_2", sdwa_select::byte_2},
    {"BYTE_3", sdwa_select::byte_3}, {"WORD_0", sdwa_select::word_0}, {"WORD_1", sdwa_select::word_1},
    {"DWORD", sdwa_select::dword},
};
constexpr std::pair<std::string_view, sdwa_unused> kUnused[] = {
    {"UNUSED_PAD", sdwa_unused::pad}, {"UNUSED_SEXT", sdwa_unused::sext}, {"UNUSED_PRESERVE", sdwa_unused::preserve},
};

bool parse_quad(std::string_view value, std::array<uint8_t, 4>& quad) {
  constexpr std::string_view kShape = "[0,0,0,0]";
  if (value.size() != kShape.size()) return false;
  for (size_t n = 0; n < value.size(); ++n) {
    if (kShape[n] != '0') {
      if (value[n] != kShape[n]) return false;
      continue;
    }
    if (value[n] < '0' || value[n] > '3') return false;
    quad[n / 2] = static_cast<uint8_t>(value[n] - '0');
  }
  return true;
}

// True when `name` is a pattern and its value was read; `wrong` where the value does not fit.
bool parse_pattern(std::string_view name, std::string_view value, dpp_modifier& dpp, bool& wrong) {
  if (name == "row_mirror" || name == "row_half_mirror") {
    wrong = !value.empty();
    dpp.pattern = name == "row_mirror" ? dpp_pattern::row_mirror : dpp_pattern::row_half_mirror;
    return true;
  }
  if (name == "quad_perm") {
    wrong = !parse_quad(value, dpp.quad);
    dpp.pattern = dpp_pattern::quad_perm;
    return true;
  }
  const auto shift = named(kShifts, name);
  if (!shift) return false;
  const auto n = in_range(value, shift->low, shift->high);
  wrong = !n || (shift->pattern == dpp_pattern::row_bcast && *n != 15 && *n != 31);
  if (wrong) return true;
  dpp.pattern = shift->pattern;
  dpp.amount = static_cast<uint8_t>(*n);
  return true;
}

answer dpp_modifier_text(std::string_view name, std::string_view value, encoding how, dpp_modifier& dpp) {
  const auto as_dpp = [&](bool value_fits) -> answer {
    if (how != encoding::dpp) return "is a modifier of _dpp instructions";
    return value_fits ? "" : "does not fit";
  };
  dpp_modifier read;
  bool wrong = false;
  if (parse_pattern(name, value, read, wrong)) {
    if (dpp.pattern != dpp_pattern::none) return "is a second DPP pattern";
    dpp.pattern = read.pattern;
    dpp.amount = read.amount;
    dpp.quad = read.quad;
    return as_dpp(!wrong);
  }
  if (name == "row_mask" || name == "bank_mask") {
    const auto mask = in_range(value, 0, 15);
    if (mask) (name == "row_mask" ? dpp.row_mask : dpp.bank_mask) = static_cast<uint8_t>(*mask);
    return as_dpp(mask.has_value());
  }
  if (name == "bound_ctrl") {
    // Before LLVM 14 the set bit was written bound_ctrl:0; it is never written when clear.
    dpp.bound_ctrl = true;
    return as_dpp(value == "0" || value == "1");
  }
  return {};
}

answer sdwa_modifier_text(std::string_view name, std::string_view value, encoding how, sdwa_modifier& sdwa) {
  bool fits = false;
  if (name == "dst_unused") {
    const auto unused = named(kUnused, value);
    if ((fits = unused.has_value())) sdwa.unused = *unused;
  } else if (name == "dst_sel" || name == "src0_sel" || name == "src1_sel") {
    const auto select = named(kSelects, value);
    if ((fits = select.has_value()))
      (name == "dst_sel" ? sdwa.dst : name == "src0_sel" ? sdwa.src0 : sdwa.src1) = *select;
  } else {
    return {};
  }
  if (how != encoding::sdwa) return "is a modifier of _sdwa instructions";
  return fits ? "" : "does not fit";
}

}  // namespace

answer parse_lane_modifier(std::string_view name, std::string_view value, encoding how, modifiers& mod) {
  if (auto a = dpp_modifier_text(name, value, how, mod.dpp)) return a;
  return sdwa_modifier_text(name, value, how, mod.sdwa);
}

}  // namespace adahop::hip::sim
