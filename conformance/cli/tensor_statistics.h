// What `inspect` says about a float tensor: counts of special values, its outlier pattern with the reason, its largest
// FOID scores, and what each scale rule would clip. Verdicts, scores and clipped counts come from the backend.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "adahop/policy.h"
#include "conformance/backends/registry.h"
#include "conformance/cli/operand.h"

namespace adahop::cli {

struct value_counts {
  int64_t zeros = 0, subnormals = 0, nans = 0, infs = 0;  ///< of FP32 or BF16 as stored
  float amax = 0;                                         ///< of the finite values
};

struct scored_index {
  int32_t index;
  float score;
};

/// Clipped elements for the rules floor, ceil, even, rceil; nothing along an axis that is no multiple of 32.
using clipped_counts = std::optional<std::array<int64_t, 4>>;

struct tensor_statistics {
  int64_t rows = 0, cols = 0;
  value_counts values;
  adahop_pattern_result pattern{};
  double row_over_column = 0, column_over_row = 0;  ///< the two quotients that SPEC 7.6 compares with the ratio
  std::string reason;
  std::vector<scored_index> top_rows,
      top_columns;  ///< highest score first; empty where the length is no multiple of 32
  clipped_counts clipped_axis0, clipped_axis1;
};

/// `top` is how many rows and columns to list.
result<tensor_statistics> analyse(const conformance::caller& backend, const policy& p, const operand& x, int32_t top);

}  // namespace adahop::cli
