// Which claims of a capability record a call leans on. A call whose claims are all made is judged; any other is not
// covered and is reported as that (SPEC 13.1).
#pragma once
#include <optional>
#include <string>

#include "conformance/judge/call.h"

namespace adahop::conformance {

/// The first thing the call needs and `capabilities` does not claim, as "scale_rule=floor"; nothing if all is claimed.
std::optional<std::string> missing_claim(const adahop_capabilities& capabilities, const call& c);

}  // namespace adahop::conformance
