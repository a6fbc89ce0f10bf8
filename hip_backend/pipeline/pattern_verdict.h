// The last steps of a tensor's pattern on the host, from the device's variances. Implements SPEC 7.5-7.7.
#pragma once
#include <span>

#include "adahop/backend.h"

namespace adahop::hip {

/// The verdict and its two CVs from the variances of the rows and of the columns of a matrix.
adahop_pattern_result pattern_verdict(const adahop_policy& p, std::span<const double> row_variance,
                                      std::span<const double> col_variance);

}  // namespace adahop::hip
