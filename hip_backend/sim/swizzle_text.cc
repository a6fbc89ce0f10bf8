// The offset of ds_swizzle_b32 behind LLVM's swizzle(...) notation. Field positions from LLVM's AMDGPU modifier syntax:
// bit 15 quad permutation, two bits a lane; 0xE000 FFT, 0xC000 rotate; else masks of five bits: and, or, xor.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sim/modifier_text.h"
#include "sim/operand_text.h"

namespace adahop::hip::sim {
namespace {

constexpr unsigned kQuadPerm = 0x8000, kFft = 0xE000, kRotate = 0xC000;
constexpr unsigned kLaneBits = 5, kAllBits = 0x1F;

unsigned bitmask(unsigned and_mask, unsigned or_mask, unsigned xor_mask) {
  return and_mask | or_mask << kLaneBits | xor_mask << (2 * kLaneBits);
}

bool is_power_of_two(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

// "01pi0": what happens to each bit of the lane number, the highest first: 0, 1, preserved, inverted.
std::optional<uint16_t> bitmask_perm(std::string_view text) {
  if (text.size() != kLaneBits + 2 || text.front() != '"' || text.back() != '"') return {};
  unsigned and_mask = 0, or_mask = 0, xor_mask = 0;
  for (unsigned n = 0; n < kLaneBits; ++n) {
    const unsigned bit = 1u << (kLaneBits - 1 - n);
    switch (text[n + 1]) {
      case '0': break;
      case '1': or_mask |= bit; break;
      case 'p': and_mask |= bit; break;
      case 'i': and_mask |= bit; xor_mask |= bit; break;
      default: return {};
    }
  }
  return static_cast<uint16_t>(bitmask(and_mask, or_mask, xor_mask));
}

}  // namespace

std::optional<uint16_t> parse_swizzle(std::string_view text) {
  constexpr std::string_view kBefore = "swizzle(";
  if (!text.starts_with(kBefore) || !text.ends_with(')')) return {};
  text = text.substr(kBefore.size(), text.size() - kBefore.size() - 1);
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  const std::string_view kind = parts[0];
  if (kind == "BITMASK_PERM" && parts.size() == 2) return bitmask_perm(parts[1]);

  std::array<int64_t, 4> n{};
  if (parts.size() > n.size() + 1) return {};
  for (size_t i = 1; i < parts.size(); ++i) {
    const auto value = parse_integer(parts[i]);
    if (!value || *value < 0 || *value > 32) return {};
    n[i - 1] = *value;
  }
  const auto u = [&](size_t i) { return static_cast<unsigned>(n[i]); };
  switch (parts.size() - 1) {
    case 1:
      if (kind == "SWAP" && is_power_of_two(n[0]) && n[0] <= 16)
        return static_cast<uint16_t>(bitmask(kAllBits, 0, u(0)));
      if (kind == "REVERSE" && is_power_of_two(n[0]) && n[0] >= 2)
        return static_cast<uint16_t>(bitmask(kAllBits, 0, u(0) - 1));
      if (kind == "FFT" && n[0] <= 31) return static_cast<uint16_t>(kFft | u(0));
      return {};
    case 2:
      if (kind == "BROADCAST" && is_power_of_two(n[0]) && n[0] >= 2 && n[1] < n[0])
        return static_cast<uint16_t>(bitmask(32 - u(0), u(1), 0));
      if (kind == "ROTATE" && n[0] <= 1 && n[1] <= 31) return static_cast<uint16_t>(kRotate | u(0) << 10 | u(1) << 5);
      return {};
    case 4:
      if (kind != "QUAD_PERM" || n[0] > 3 || n[1] > 3 || n[2] > 3 || n[3] > 3) return {};
      return static_cast<uint16_t>(kQuadPerm | u(0) | u(1) << 2 | u(2) << 4 | u(3) << 6);
    default: return {};
  }
}

}  // namespace adahop::hip::sim
