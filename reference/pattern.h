// Row-wise, column-wise or no outlier pattern of a tensor, from variances in FP64. Implements SPEC chapter 7.
#pragma once
#include <vector>

#include "adahop/policy.h"
#include "adahop/tensor.h"

namespace adahop::reference {

/// Variances of the rows [R] and of the columns [C] of x; NaN (canonical) where a line has fewer than two elements.
struct line_variances {
  std::vector<double> rows, cols;
};
line_variances variances(const adahop_view& x);

/// The verdict and the two normalised coefficients of variation, NaN canonical.
adahop_pattern_result classify(const policy& p, const line_variances& v);

}  // namespace adahop::reference
