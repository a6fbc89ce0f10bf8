// Scale rules of an MX block. Implements SPEC 5.1-5.7.
#include "reference/scale.h"

#include <algorithm>

#include "adahop/formats/mx_block.h"

namespace adahop::reference {

uint32_t amax_bits(const float* block) {
  uint32_t amax = 0;
  for (int i = 0; i < kBlockSize; ++i) amax = std::max(amax, bits_of(block[i]) & 0x7FFFFFFFu);
  return amax;
}

uint8_t scale_byte(uint32_t amax_bits, adahop_scale_rule rule, int min_scale_byte) {
  // The largest E2M1 value is 1.5 * 2^2, so an amax of exponent field e meets the top binade under the scale e - 2.
  constexpr int32_t kTopExponent = 2;
  const int32_t e = static_cast<int32_t>(amax_bits >> 23);
  const uint32_t m = amax_bits & 0x007FFFFFu;
  int32_t b = 0;
  switch (rule) {
    case ADAHOP_SCALE_FLOOR: b = e - kTopExponent; break;
    case ADAHOP_SCALE_CEIL: b = e - kTopExponent + (m != 0 ? 1 : 0); break;
    // A mantissa of 1.75 or more carries into the exponent field.
    case ADAHOP_SCALE_EVEN: b = static_cast<int32_t>((amax_bits + 0x00200000u) >> 23) - kTopExponent; break;
    // 6 = 1.5 * 2^2 is the largest value, so a mantissa above 1.5 needs the next power of two.
    case ADAHOP_SCALE_RCEIL: b = e - kTopExponent + (m > 0x00400000u ? 1 : 0); break;
  }
  return static_cast<uint8_t>(std::max({b, 0, min_scale_byte}));
}

}  // namespace adahop::reference
