// The suites: which cases there are, chosen by name, pair and shard. `full` holds every case of `mustpass`.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "conformance/suites/test_case.h"

namespace adahop::conformance {

/// Raised whenever the list of mustpass, or what a name in it means, changes; mustpass.txt has it in its first line.
inline constexpr int kSuiteVersion = 4;

enum class suite_name { mustpass, full };

struct suite_options {
  suite_name suite = suite_name::mustpass;
  std::vector<pattern_pair> pairs;        ///< empty: all, and the cases that need no pair
  std::string filter;                     ///< a glob over case names ('*', '?', '[...]'; '*' crosses '/'); empty: all
  int shard = 1, shards = 1;              ///< case i belongs to shard i mod shards + 1
  std::optional<policy> override_policy;  ///< replaces the policy of every product
  std::string override_name;
};

/// The cases in the suite's order; names are unique.
case_list build_suite(const suite_options& options);

/// Identifies a list: SHA-256 over its names, one a line.
std::string list_hash(std::span<const test_case> cases);

/// What --list prints, and what mustpass.txt holds: a version line, then the names.
std::string list_text(const std::string& suite, std::span<const test_case> cases);

}  // namespace adahop::conformance
