// What a run of the suite amounts to: counts in all, by pair and stage, and by strategy.
#pragma once
#include <array>
#include <map>
#include <span>
#include <string>

#include "conformance/suites/runner.h"

namespace adahop::conformance {

struct tally {
  int64_t passed = 0, failed = 0, skipped = 0;
  int64_t total() const { return passed + failed + skipped; }
  void add(verdict v) { ++(v == verdict::passed ? passed : v == verdict::failed ? failed : skipped); }
};

struct summary {
  tally all;
  std::array<std::array<tally, kStages>, 10> by_pair{};  ///< rows: kAllPairs in order, then what needs no pair
  std::array<tally, 4> by_strategy{};                    ///< by strategy, where a case runs one
  std::map<std::string, int64_t> not_covered;            ///< missing claim to number of cases
  std::map<std::string, int64_t> notes;                  ///< note to number of cases
  native_share native;                                   ///< outputs judged in mode native
  tally at(stage s) const;                               ///< over all rows of by_pair
};

summary summarise(const case_list& cases, std::span<const case_result> results);

/// "N passed, N failed", and ", N skipped" where some were.
std::string last_line(const tally& t);

/// What the head of a report says of the run.
struct run_info {
  std::string backend, device, suite, list_sha256, compare, data, policy_name, policy_sha256, shard, lane_seed;
  std::string rerun;  ///< command line that repeats the run, without a filter
  std::string work;   ///< what a simulating backend executed, one line; empty of others
  uint64_t seed = 0;
  int version = 0;
};

}  // namespace adahop::conformance
