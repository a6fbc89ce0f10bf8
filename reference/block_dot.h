// The dot product of two blocks of E2M1 codes, exactly. Implements SPEC 10.1.
#pragma once
#include "adahop/formats/mx_block.h"

namespace adahop::reference {

/// S = sum of (2a)(2b) over 32 elements, four times the dot product of the values; |S| <= 32 * 12 * 12 = 4608.
/// a and b are 16 bytes of packed codes.
inline int32_t block_dot_x4(const uint8_t* a, const uint8_t* b) {
  int32_t sum = 0;
  for (int i = 0; i < kBlockBytes; ++i)
    for (uint32_t half = 0; half < 2; ++half) sum += value_x2(unpack_e2m1(a[i], half)) * value_x2(unpack_e2m1(b[i], half));
  return sum;
}

}  // namespace adahop::reference
