// A whole product from a fuzzer's bytes: level, pair, path, policy, shapes, and operands with outlier rows and columns.
#pragma once
#include "conformance/judge/calls.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

struct product_calls {
  conformance::call bitexact;
  conformance::call native;  ///< the same product in mode native, judged by certificate and bound (SPEC 10.24)
};

/// The product in both modes, with the status that SPEC demands. At most 70 x 70 outputs and K = 256.
product_calls read_product(input& in);

}  // namespace adahop::fuzz
