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
  native_share native;
  std::optional<difference> differs;
};

struct run_options {
  compare_mode mode = compare_mode::bits;
  int threads = 1;
  /// Options that the caller has set on the candidate, and that cases with an option of their own are to leave as they
  /// were: key and value.
  std::vector<std::pair<std::string, std::string>> set_options = {};
  /// Called after each case from whichever thread ran it; may be empty.
  std::function<void()> progress;
  bool fail_fast = false;  ///< after a failure no further case is begun; those are skipped and say so
};

/// A case's option, set on a backend for as long as this lives.
class scoped_option {
 public:
  scoped_option(const adahop_backend& backend, const std::optional<backend_option>& option, const run_options& options);
  ~scoped_option();
  scoped_option(const scoped_option&) = delete;
  scoped_option& operator=(const scoped_option&) = delete;

  /// Whether the backend took it; true where there is none.
  bool accepted() const { return accepted_; }

 private:
  const adahop_backend& backend_;
  std::string key_, before_;
  bool accepted_ = true;
};

/// Result i belongs to case i. An option is the whole backend's, so cases with one run after all others, those of one
/// option together.
std::vector<case_result> run_cases(const case_list& cases, const context& ctx, const adahop_backend& candidate,
                                   const run_options& options);

}  // namespace adahop::conformance
