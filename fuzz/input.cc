// Bytes to numbers, and the floating-point patterns at which rules change.
#include "fuzz/input.h"

#include <algorithm>

namespace adahop::fuzz {
namespace {

constexpr uint32_t kMantissaBits = 23, kMantissaMask = 0x7FFFFFu;

// Significands over the exponent that comes with them: E2M1's values, and the points halfway between two of them with the
// limit 6 and its rounding point's neighbour 5 (SPEC 2.1, 5.11, 5.12).
struct scaled {
  int exponent;
  uint32_t mantissa;
};
constexpr std::array<scaled, 8> kGrid{
    {{-1, 0}, {0, 0}, {0, 0x400000}, {1, 0}, {1, 0x400000}, {2, 0}, {2, 0x400000}, {2, 0x400000}}};
constexpr std::array<scaled, 8> kTies{{{-2, 0},          // 0.25
                                       {-1, 0x400000},   // 0.75
                                       {0, 0x200000},    // 1.25
                                       {0, 0x600000},    // 1.75
                                       {1, 0x200000},    // 2.5
                                       {1, 0x600000},    // 3.5
                                       {2, 0x200000},    // 5
                                       {2, 0x400000}}};  // 6

// Mantissas at which a rule of SPEC 5.2 to 5.5 takes the next byte: ceil above 0, even from 0x600000, rceil above 0x400000.
constexpr std::array<uint32_t, 4> kAmaxMantissas{0, 0x400000, 0x600000, 0x7FFFFF};

constexpr std::array<uint32_t, 8> kNonfinite{0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000,
                                             0x7F810000, 0xFF810000, 0x7FFFFFFF, 0xFFC10000};

uint32_t pattern(int exponent_field, uint32_t mantissa) {
  return static_cast<uint32_t>(std::clamp(exponent_field, 1, 254)) << kMantissaBits | (mantissa & kMantissaMask);
}

// There, one unit below or one unit above; a pattern below the smallest of all stays.
uint32_t beside(uint32_t magnitude, uint64_t choice, uint32_t unit) {
  if (choice % 4 == 1 && magnitude >= unit) return magnitude - unit;
  return choice % 4 == 2 ? magnitude + unit : magnitude;
}

}  // namespace

uint64_t input::word(size_t bytes) {
  uint64_t value = 0;
  const size_t have = std::min(bytes, rest_.size());
  for (size_t i = 0; i < have; ++i) value |= uint64_t{rest_[i]} << (8 * i);
  rest_ = rest_.subspan(have);
  return value;
}

int64_t input::integer(int64_t low, int64_t high) {
  const uint64_t span = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  size_t bytes = 0;
  while (bytes < 8 && span >> (8 * bytes) != 0) ++bytes;
  const uint64_t value = word(bytes);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + (span == UINT64_MAX ? value : value % (span + 1)));
}

uint32_t float_pattern(values family, exponent_window window, uint64_t word, uint32_t unit) {
  const auto mantissa = static_cast<uint32_t>(word & kMantissaMask);
  const uint64_t choice = word >> 24 & 0xFFFF;
  const uint64_t place = word >> 40 & 0xFF;  // there or beside
  const auto sign = static_cast<uint32_t>(word >> 63) << 31;
  const int field = window.low + static_cast<int>(word >> 48 & 0x7FFF) % std::max(1, window.count);
  switch (family) {
    case values::zero: return sign;
    case values::uniform: return sign | pattern(field, mantissa);
    case values::grid: {
      const scaled& v = kGrid[choice % kGrid.size()];
      return sign | pattern(field + v.exponent, v.mantissa);
    }
    case values::tie: {
      const scaled& v = kTies[choice % kTies.size()];
      return sign | beside(pattern(field + v.exponent, v.mantissa), place, unit);
    }
    case values::amax: return sign | beside(pattern(field, kAmaxMantissas[choice % kAmaxMantissas.size()]), place, unit);
    case values::subnormal: return sign | static_cast<uint32_t>(choice % 9) << kMantissaBits | mantissa;
    case values::huge: return sign | pattern(247 + static_cast<int>(choice % 8), mantissa);
    case values::nonfinite: return kNonfinite[choice % kNonfinite.size()];
    case values::raw: break;
  }
  return static_cast<uint32_t>(word >> 32);
}

}  // namespace adahop::fuzz
