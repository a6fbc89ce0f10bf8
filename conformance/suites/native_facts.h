// What is known of the outputs of a product before a backend runs in mode native: certificate, bound and exact sum.
// Implements the suite's side of SPEC 10.20-10.24.
#pragma once
#include "conformance/suites/chain.h"

namespace adahop::conformance {

/// `c`, an MX product or a whole one, in mode native. `mx_part` is its MX product, null where it has none: then every
/// output is judged by its bits.
result<call> in_native_mode(const context& ctx, call c, const call* mx_part);

}  // namespace adahop::conformance
