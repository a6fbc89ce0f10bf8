// One comparison: one operation on one input on the reference and on the backend under test, both through the C ABI.
// Implements the judge's side of SPEC 1.1, 1.6, 13.1.
#pragma once
#include <optional>
#include <string>

#include "conformance/judge/call.h"
#include "conformance/judge/native.h"

namespace adahop::conformance {

enum class verdict { passed, failed, skipped };

struct outcome {
  verdict what = verdict::passed;
  std::string reason;                 ///< why it failed or was skipped, one line; empty when passed
  std::optional<difference> differs;  ///< where bits differ
  std::string missing;                ///< the claim a skipped call would need
  std::string note;                   ///< worth saying though nothing failed
  native_share native;                ///< of a call in mode native
  execution expected, got;            ///< both results
};

/// Runs `c` on both backends and judges. A status other than the call's expected one, a changed guard byte or input,
/// ADAHOP_UNSUPPORTED from a claimed thing, or a difference is a failure. Where SPEC demands an error, the codes must
/// agree, and under nonfinite = reject the index of the first bad element too (SPEC 5.15). A call that leans on an
/// unclaimed thing is skipped, or, where it is made to be refused, must be refused. A call in mode native is judged
/// against the reference's exact_sum by its facts; device memory is asked of the candidate alone.
outcome judge(const call& c, const adahop_backend& reference, const adahop_backend& candidate, compare_mode mode);

/// "ADAHOP_DEVICE" and the like.
const char* status_name(int32_t code);

}  // namespace adahop::conformance
