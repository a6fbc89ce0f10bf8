// The 32-point Walsh-Hadamard transform in registers of one lane: FP32 butterflies, one multiplication. Implements SPEC
// 6.1-6.3, 6.5.
#pragma once
#include "kernels/elements.h"

namespace adahop::hip {

inline constexpr uint32_t kInverseSqrt32Bits = 0x3E3504F3u;

ADAHOP_DEVICE_FN void hadamard_32(float (&v)[32]) {
  ADAHOP_UNROLL
  for (int stage = 0; stage < 5; ++stage) {
    const int stride = 1 << stage;
    ADAHOP_UNROLL
    for (int pair = 0; pair < 16; ++pair) {
      const int low = ((pair >> stage) << (stage + 1)) | (pair & (stride - 1));
      const float a = v[low];
      const float b = v[low + stride];
      v[low] = a + b;
      v[low + stride] = a - b;
    }
  }
  ADAHOP_UNROLL
  for (int i = 0; i < 32; ++i) v[i] *= float_of(kInverseSqrt32Bits);
}

}  // namespace adahop::hip
