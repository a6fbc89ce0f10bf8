// FP32 to BF16: round to nearest even, overflow to Inf, subnormals kept, one NaN. Implements SPEC 2.8.
#pragma once
#include "adahop/formats/bf16.h"

namespace adahop::reference {

constexpr bf16 round_bf16(float v) {
  const uint32_t bits = bits_of(v);
  // The NaN test comes first: adding the rounding bias to a NaN would carry into Inf or into the sign.
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return {kCanonicalNanBf16};
  // 0x7FFF + (last kept bit): above half rounds up, half rounds up only if the kept part is odd. The carry out of the
  // largest finite number is Inf.
  const uint32_t last_kept = (bits >> 16) & 1u;
  return {static_cast<uint16_t>((bits + 0x7FFFu + last_kept) >> 16)};
}

}  // namespace adahop::reference
