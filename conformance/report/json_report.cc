// The report as JSON.
#include "conformance/report/json_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "conformance/backends/registry.h"

namespace adahop::conformance {

using json = nlohmann::ordered_json;

namespace {

json json_share(const native_share& share) { return {{"certified", share.certified}, {"total", share.total}}; }

}  // namespace

json json_difference(const difference& d) {
  return {{"output", d.output},
          {"row", d.row},
          {"col", d.col},
          {"expected", {{"bits", d.expected_bits}, {"value", d.expected_value}}},
          {"got", {{"bits", d.got_bits}, {"value", d.got_value}}},
          {"count", d.count},
          {"total", d.total}};
}

json json_report(const run_info& info, const case_list& cases, std::span<const case_result> results) {
  const summary s = summarise(cases, results);
  json report = {{"tool", "adahop conform"},
                 {"backend", info.backend},
                 {"device", info.device},
                 {"suite", info.suite},
                 {"suite_version", info.version},
                 {"list_sha256", info.list_sha256},
                 {"compare", info.compare},
                 {"seed", info.seed},
                 {"data", info.data},
                 {"policy", info.policy_name},
                 {"policy_sha256", info.policy_sha256},
                 {"passed", s.all.passed},
                 {"failed", s.all.failed},
                 {"skipped", s.all.skipped}};
  if (s.native.total != 0) report["native"] = json_share(s.native);
  json list = json::array();
  for (size_t i = 0; i < cases.size(); ++i) {
    const test_case& c = cases[i];
    const case_result& r = results[i];
    json entry = {{"name", c.name},
                  {"verdict", r.what == verdict::passed   ? "passed"
                              : r.what == verdict::failed ? "failed"
                                                          : "skipped"},
                  {"stage", stage_name(c.where)},
                  {"clauses", clauses(c.where)}};
    if (c.pair) entry["pair"] = fmt::format("{}{}", letter(c.pair->left), letter(c.pair->right));
    if (c.how) entry["strategy"] = name(*c.how);
    if (r.op != ADAHOP_OP_COUNT) entry["operation"] = op_name(r.op);
    if (!r.about.empty()) entry["about"] = r.about;
    if (!r.policy_line.empty()) entry["policy"] = r.policy_line;
    if (!r.reason.empty()) entry["reason"] = r.reason;
    if (r.differs) entry["difference"] = json_difference(*r.differs);
    if (!r.note.empty()) entry["note"] = r.note;
    if (r.native.total != 0) entry["native"] = json_share(r.native);
    if (c.option) entry["option"] = fmt::format("{}={}", c.option->key, c.option->value);
    list.push_back(std::move(entry));
  }
  report["cases"] = std::move(list);
  return report;
}

}  // namespace adahop::conformance
