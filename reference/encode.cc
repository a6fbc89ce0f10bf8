// E2M1 encoding by exact comparison with the midpoints of the grid. Implements SPEC 5.8, 5.9, 5.11-5.13.
#include "reference/encode.h"

namespace adahop::reference {
namespace {

// Four times the midpoint between the values of code i and code i + 1.
constexpr uint32_t kMidpointX4[7] = {1, 3, 5, 7, 10, 14, 20};
constexpr uint32_t kLargestX4 = 24;  // 6

// The sign of |v| / scale - bound_x4 / 4, exactly: -1, 0 or 1. bound_x4 is 1..24.
int compare_quotient(float v, e8m0 scale, uint32_t bound_x4) {
  const uint32_t magnitude = bits_of(v) & 0x7FFFFFFFu;
  const uint32_t field = magnitude >> 23;
  // |v| = significand * 2^(max(field, 1) - 150); a subnormal lacks the implicit bit.
  const uint64_t significand = field == 0 ? magnitude : (magnitude & 0x007FFFFFu) | 0x00800000u;
  const int32_t exponent = static_cast<int32_t>(field == 0 ? 1 : field) - 150;
  // 4 |v| / 2^(byte - 127) = significand * 2^shift
  const int32_t shift = exponent + 2 - (static_cast<int32_t>(byte_of(scale)) - kE8m0Bias);
  if (significand == 0) return -1;
  if (shift >= 5) return 1;      // at least 32, above every bound
  if (shift <= -24) return -1;   // significand < 2^24, so below 1
  const uint64_t left = shift >= 0 ? significand << shift : significand;
  const uint64_t right = shift >= 0 ? bound_x4 : uint64_t{bound_x4} << -shift;
  return left < right ? -1 : left > right ? 1 : 0;
}

}  // namespace

e2m1 encode_e2m1(float v, e8m0 scale) {
  const uint32_t sign = bits_of(v) >> 31;
  uint32_t code = 0;
  while (code < 7) {
    const int order = compare_quotient(v, scale, kMidpointX4[code]);
    // On a midpoint the even code wins: stay if this one is even, go on if the next one is.
    const bool next = order > 0 || (order == 0 && code % 2 == 1);
    if (!next) break;
    ++code;
  }
  return e2m1_of(sign << 3 | code);
}

bool clips(float v, e8m0 scale) { return compare_quotient(v, scale, kLargestX4) > 0; }

}  // namespace adahop::reference
