// BF16 as a storage type: its bits and its exact value. Rounding to BF16 is a decision and lives with
// those who round (reference/, hip_backend/, conformance/independent/). Implements SPEC 2.7.
#pragma once
#include "adahop/formats/hd.h"

namespace adahop {

struct bf16 {
  uint16_t bits;
};

inline constexpr uint16_t kCanonicalNanBf16 = 0x7FC0u;

/// The exact FP32 value of a BF16. A NaN keeps its payload here; operations make it canonical on output.
ADAHOP_HD constexpr float decode_bf16(bf16 v) { return float_of(uint32_t{v.bits} << 16); }

ADAHOP_HD constexpr bool is_nan(bf16 v) { return (v.bits & 0x7FFFu) > 0x7F80u; }
ADAHOP_HD constexpr bool is_finite(bf16 v) { return (v.bits & 0x7F80u) != 0x7F80u; }

}  // namespace adahop
