// Patterns, pairs and the published strategy table (SPEC chapter 8). The table of a backend under test is its own;
// this one names things for people and for the reference.
#pragma once
#include <array>
#include <optional>
#include <string_view>

#include "adahop/backend.h"

namespace adahop {

/// (pattern of the left operand, pattern of the right one), each in the orientation in which it enters the product.
struct pattern_pair {
  adahop_pattern left, right;
  friend constexpr bool operator==(const pattern_pair&, const pattern_pair&) = default;
};

enum class strategy { iht, oe_left, oe_right, bf16 };

/// The order in which the paper's table and our reports list the nine pairs.
inline constexpr std::array<pattern_pair, 9> kAllPairs{{
    {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_ROW},
    {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN},
    {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
    {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_ROW},
    {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN},
    {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE},
    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW},
    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN},
    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE},
}};

/// The three products of a linear layer, in the order of adahop_path.
inline constexpr std::array<adahop_path, 3> kPaths{ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW};

/// Transposing a matrix swaps row and column (SPEC 8.2).
constexpr adahop_pattern opposite(adahop_pattern p) {
  if (p == ADAHOP_PATTERN_ROW) return ADAHOP_PATTERN_COLUMN;
  if (p == ADAHOP_PATTERN_COLUMN) return ADAHOP_PATTERN_ROW;
  return ADAHOP_PATTERN_NONE;
}

/// The pair of a path from the patterns of X, W and G_Y in their own orientation (SPEC 8.3).
constexpr pattern_pair pair_of_path(adahop_path path, adahop_pattern x, adahop_pattern w, adahop_pattern gy) {
  switch (path) {
    case ADAHOP_PATH_FORWARD: return {x, opposite(w)};
    case ADAHOP_PATH_DX: return {gy, w};
    case ADAHOP_PATH_DW: return {opposite(gy), x};
  }
  return {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
}

/// The published table (SPEC 8.4, 8.5) with its exception for OE-left on dW (SPEC 8.6). `level` is 1 or 2.
constexpr strategy strategy_of(int level, pattern_pair pair, adahop_path path, adahop_left_oe_on_dw left_oe_on_dw) {
  if (pair.right == ADAHOP_PATTERN_COLUMN) {
    const bool both_columns = pair.left == ADAHOP_PATTERN_COLUMN;
    return both_columns && level == 2 ? strategy::bf16 : strategy::oe_right;
  }
  if (pair.left == ADAHOP_PATTERN_ROW && pair.right == ADAHOP_PATTERN_NONE) {
    const bool degraded = path == ADAHOP_PATH_DW && left_oe_on_dw == ADAHOP_LEFT_OE_PORT;
    return degraded ? strategy::iht : strategy::oe_left;
  }
  return strategy::iht;
}

constexpr char letter(adahop_pattern p) {
  return p == ADAHOP_PATTERN_ROW ? 'R' : p == ADAHOP_PATTERN_COLUMN ? 'C' : 'N';
}

constexpr std::string_view name(adahop_pattern p) {
  return p == ADAHOP_PATTERN_ROW ? "row" : p == ADAHOP_PATTERN_COLUMN ? "column" : "none";
}

constexpr std::string_view name(strategy s) {
  switch (s) {
    case strategy::iht: return "IHT";
    case strategy::oe_left: return "OE-left";
    case strategy::oe_right: return "OE-right";
    case strategy::bf16: return "BF16";
  }
  return "?";
}

constexpr std::string_view name(adahop_path p) {
  return p == ADAHOP_PATH_FORWARD ? "forward" : p == ADAHOP_PATH_DX ? "dX" : "dW";
}

/// "RC" and the like; nothing for any other text.
constexpr std::optional<pattern_pair> parse_pair(std::string_view text) {
  if (text.size() != 2) return std::nullopt;
  for (const pattern_pair& pair : kAllPairs)
    if (letter(pair.left) == text[0] && letter(pair.right) == text[1]) return pair;
  return std::nullopt;
}

}  // namespace adahop
