// The report for people: head, tables, failures, what was not covered, and the line of counts at the end.
#pragma once
#include <cstdio>

#include "conformance/report/summary.h"

namespace adahop::conformance {

void print_head(std::FILE* out, const run_info& info);

/// Tables by pair and stage, by strategy and of the other operations; the first `errors` failures; what was not
/// covered; last the line of counts.
void print_report(std::FILE* out, const run_info& info, const case_list& cases, std::span<const case_result> results,
                  int64_t errors);

/// One failure as a block of lines.
std::string failure_text(const run_info& info, const test_case& c, const case_result& r);

}  // namespace adahop::conformance
