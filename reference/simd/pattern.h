// Variances of rows and columns in FP64, as reference/pattern.h. Implements SPEC 7.1-7.4.
#pragma once
#include "reference/pattern.h"

namespace adahop::reference::simd {

/// Of x, F32 or BF16.
line_variances variances(const adahop_view& x);

}  // namespace adahop::reference::simd
