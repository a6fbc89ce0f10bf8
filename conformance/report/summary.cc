// Counting results.
#include "conformance/report/summary.h"

#include <fmt/format.h>

#include <algorithm>

namespace adahop::conformance {

summary summarise(const case_list& cases, std::span<const case_result> results) {
  summary s;
  for (size_t i = 0; i < cases.size(); ++i) {
    const test_case& c = cases[i];
    const case_result& r = results[i];
    size_t row = kAllPairs.size();
    if (c.pair) row = static_cast<size_t>(std::find(kAllPairs.begin(), kAllPairs.end(), *c.pair) - kAllPairs.begin());
    s.all.add(r.what);
    s.by_pair[row][static_cast<size_t>(c.where)].add(r.what);
    if (c.how) s.by_strategy[static_cast<size_t>(*c.how)].add(r.what);
    if (r.what == verdict::skipped) ++s.not_covered[r.missing];
    if (!r.note.empty()) ++s.notes[r.note];
    s.native.certified += r.native.certified;
    s.native.total += r.native.total;
  }
  return s;
}

tally summary::at(stage where) const {
  tally sum;
  for (const auto& row : by_pair) {
    const tally& t = row[static_cast<size_t>(where)];
    sum.passed += t.passed;
    sum.failed += t.failed;
    sum.skipped += t.skipped;
  }
  return sum;
}

std::string last_line(const tally& t) {
  return fmt::format("{} passed, {} failed{}", t.passed, t.failed,
                     t.skipped != 0 ? fmt::format(", {} skipped", t.skipped) : "");
}

}  // namespace adahop::conformance
