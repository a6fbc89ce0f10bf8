// gemm_model block_first_fdpa(n): exact block sums first, then n of them and the accumulator in one aligned addition,
// truncated toward zero. Implements SPEC 10.6, 10.17.
#pragma once
#include "reference/accumulate/mx_rows.h"

namespace adahop::reference {

/// One group of blocks [first, first + count), count <= 4. acc is not NaN; an Inf stays.
float accumulate_block_first_fdpa(float acc, const mx_rows& rows, int64_t first, int64_t count);

}  // namespace adahop::reference
