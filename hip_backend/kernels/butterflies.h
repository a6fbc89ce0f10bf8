// The Walsh-Hadamard transform, one lane holding 32 consecutive elements: FP32 butterflies, one multiplication. Groups
// of 64 and 128 elements lie in 2 and 4 neighbouring lanes, which exchange them. Implements SPEC 6.1-6.3, 6.5, 6.10,
// 6.11.
#pragma once
#include "kernels/elements.h"

namespace adahop::hip {

/// The FP32 pattern of the RN of 1/sqrt(size).
ADAHOP_DEVICE_FN uint32_t inverse_sqrt_bits(int32_t size) {
  if (size == 16) return 0x3E800000u;
  if (size == 64) return 0x3E000000u;
  return size == 128 ? 0x3DB504F3u : 0x3E3504F3u;
}

/// The stage of stride 1 << stage within a lane.
ADAHOP_DEVICE_FN void butterflies_in_lane(int stage, float (&v)[32]) {
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

/// The stage of stride 32 * mask, between lanes whose numbers differ in the bit `mask`.
ADAHOP_DEVICE_FN void butterflies_across(uint32_t mask, float (&v)[32]) {
  const bool upper = (lane() & mask) != 0;
  ADAHOP_UNROLL
  for (int i = 0; i < 32; ++i) {
    const float other = shfl_xor(v[i], mask);
    v[i] = upper ? other - v[i] : v[i] + other;
  }
}

/// Transforms aligned groups of t.size elements; block `block` of its row is this lane's. Every lane of a group must
/// call it together.
ADAHOP_DEVICE_FN void hadamard_transform(const transform_args& t, int64_t block, float (&v)[32]) {
  if (t.signs != nullptr) {
    const uint32_t signs = t.signs[block];
    ADAHOP_UNROLL
    for (int i = 0; i < 32; ++i) v[i] = float_of(bits_of(v[i]) ^ ((signs >> i) << 31));
  }
  ADAHOP_UNROLL
  for (int stage = 0; stage < 4; ++stage) butterflies_in_lane(stage, v);
  if (t.size >= 32) butterflies_in_lane(4, v);
  if (t.size >= 64) butterflies_across(1, v);
  if (t.size >= 128) butterflies_across(2, v);
  const float factor = float_of(inverse_sqrt_bits(t.size));
  ADAHOP_UNROLL
  for (int i = 0; i < 32; ++i) v[i] *= factor;
}

}  // namespace adahop::hip
