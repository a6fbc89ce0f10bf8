// The outlier pattern of a tensor, in FP64 by MPFR. Implements SPEC chapter 7.
#pragma once
#include <vector>

#include "mxfp4.h"

namespace independent {

enum class pattern { none, row, column };

struct pattern_report {
  std::vector<double> row_variance, col_variance;
  double cv_row, cv_col;
  pattern verdict;
};

/// Statistics and verdict of an R x C tensor, R and C at least 1.
pattern_report detect_pattern(const fp32_matrix& x, double ratio, double eps);

}  // namespace independent
