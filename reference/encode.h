// One element to E2M1: RNE of |v| / scale on the grid, saturation, sign; and whether it was clipped. Integers only, so
// no rounding mode or flush of the caller matters. Implements SPEC 5.8, 5.9, 5.11-5.13.
#pragma once
#include "adahop/formats/e2m1.h"
#include "adahop/formats/e8m0.h"

namespace adahop::reference {

/// The code of a finite v under a scale that is not NaN.
e2m1 encode_e2m1(float v, e8m0 scale);

/// Whether |v| / scale > 6, for a finite v and a scale that is not NaN.
bool clips(float v, e8m0 scale);

}  // namespace adahop::reference
