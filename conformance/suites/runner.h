// Runs a list of cases, several at once, into a list of results in the same order: what is reported does not depend on
// how many run at a time (SPEC 1.2).
#pragma once
#include <functional>

#include "conformance/suites/test_case.h"

namespace adahop::conformance {

/// What is kept of a case after it ran.
struct case_result {
  verdict what = verdict::skipped;
  std::string reason, missing, note;
  std::string about;  ///< level, pair and path of a whole product, shapes of the inputs
  std::string policy_line;
  adahop_op op = ADAHOP_OP_COUNT;
  std::optional<difference> differs;
};

struct run_options {
  compare_mode mode = compare_mode::bits;
  int threads = 1;
  /// Called after each case from whichever thread ran it; may be empty.
  std::function<void()> progress;
};

/// Result i belongs to case i.
std::vector<case_result> run_cases(const case_list& cases, const context& ctx, const adahop_backend& candidate,
                                   const run_options& options);

}  // namespace adahop::conformance
