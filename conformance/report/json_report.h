// The report for machines: every case with its verdict.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "conformance/report/summary.h"

namespace adahop::conformance {

/// Keys: tool, backend, device, suite, suite_version, list_sha256, compare, seed, data, policy, policy_sha256, passed,
/// failed, skipped, native {certified, total} where outputs were judged in that mode, cases [{name, verdict, stage, pair, strategy, operation, reason, difference {...}, note}].
nlohmann::ordered_json json_report(const run_info& info, const case_list& cases, std::span<const case_result> results);

nlohmann::ordered_json json_difference(const difference& d);

}  // namespace adahop::conformance
