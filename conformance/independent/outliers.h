// Outlier scores and the choice of the outliers. Implements SPEC 9.1 to 9.5.
#pragma once
#include "mxfp4.h"

namespace independent {

/// The FP32 score of each row; `window` is 32 or 64, x.cols a multiple of 32.
std::vector<uint32_t> outlier_scores(const fp32_matrix& x, int window);

/// The min(k, n) first of n scores in the order NaN, higher, lower index; ascending.
std::vector<int> choose_outliers(const std::vector<uint32_t>& scores, int k);

}  // namespace independent
