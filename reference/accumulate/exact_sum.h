// gemm_model exact_sum: the accumulator and all terms summed exactly, rounded once. Implements SPEC 10.11.
#pragma once
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// acc is finite; the result may be Inf, but no intermediate value is.
float accumulate_exact_sum(float acc, const mx_rows& rows);

}  // namespace adahop::reference
