// A calibration: outlier patterns of X, W and G_Y of each layer over training steps, and the verdict by majority that a
// run then keeps. Implements SPEC 12.9; the content of a plan file (SPEC 12.8).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/layer/linear.h"
#include "adahop/policy.h"
#include "adahop/status.h"

namespace adahop::layer {

/// What one step said of one tensor. The CVs are those of SPEC 7.5; NaN where undefined.
struct step_statistics {
  adahop_pattern verdict = ADAHOP_PATTERN_NONE;
  double cv_row = 0, cv_col = 0;
};

struct vote_count {
  int64_t row = 0, column = 0, none = 0;
  friend bool operator==(const vote_count&, const vote_count&) = default;
};
vote_count votes_of(std::span<const step_statistics> steps);

/// The verdict with the most steps; of several, the one whose first step is earliest; `none` for no steps (SPEC 12.9).
adahop_pattern majority(std::span<const step_statistics> steps);

struct tensor_record {
  std::vector<step_statistics> steps;  ///< in the order in which they were observed

  vote_count votes() const { return votes_of(steps); }
  adahop_pattern verdict() const { return majority(steps); }
};

struct layer_record {
  std::string name;
  int64_t in = 0, out = 0;  ///< W is [out x in]
  tensor_record x, w, grad_output;

  layer_patterns patterns() const { return {x.verdict(), w.verdict(), grad_output.verdict()}; }
};

struct calibration_plan {
  policy how = default_policy();     ///< pattern_ratio and pattern_eps decided the verdicts
  std::vector<layer_record> layers;  ///< in the order in which they were first seen

  /// Null where there is none of that name.
  const layer_record* find(std::string_view name) const;
};

/// Layer names are 1 to 256 characters of printable ASCII: they are printed, and stand in plan files.
bool is_layer_name(std::string_view name);

/// Adds one step of the layer `name` to the plan: x [T x I], w [O x I], gy [T x O], F32 or BF16, host memory, judged by
/// the backend's pattern operation under plan.how. ADAHOP_INVALID_ARGUMENT for shapes that do not fit together or do
/// not fit the layer's earlier steps; on any error the plan is as it was.
status observe(const adahop_backend& on, calibration_plan& plan, const std::string& name, const adahop_view& x,
               const adahop_view& w, const adahop_view& gy);

}  // namespace adahop::layer
