// E2M1 encoding by exact comparison with the midpoints of the grid. Implements SPEC 5.8, 5.9, 5.11-5.13.
#include "reference/encode.h"

#include "reference/quotient.h"

namespace adahop::reference {
namespace {

// Four times the midpoint between the values of code i and code i + 1.
constexpr uint32_t kMidpointX4[7] = {1, 3, 5, 7, 10, 14, 20};
constexpr uint32_t kLargestX4 = 24;  // 6

}  // namespace

e2m1 encode_e2m1(float v, e8m0 scale) {
  const uint32_t sign = bits_of(v) >> 31;
  const quotient q = magnitude_over(v, scale);
  uint32_t code = 0;
  while (code < 7) {
    const int order = compare(q, kMidpointX4[code]);
    // On a midpoint the even code wins: stay if this one is even, go on if the next one is.
    const bool next = order > 0 || (order == 0 && code % 2 == 1);
    if (!next) break;
    ++code;
  }
  return e2m1_of(sign << 3 | code);
}

bool clips(float v, e8m0 scale) { return compare(magnitude_over(v, scale), kLargestX4) > 0; }

}  // namespace adahop::reference
