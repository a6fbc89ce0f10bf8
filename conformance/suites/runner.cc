// Worker threads over a shared counter; each case builds its own inputs and lets them go.
#include "conformance/suites/runner.h"

#include <fmt/format.h>

#include <atomic>
#include <thread>

namespace adahop::conformance {
namespace {

std::string shape_text(const input& in) {
  if (const auto* v = std::get_if<view_input>(&in))
    return fmt::format("{} [{} x {}]", v->name, v->view.rows, v->view.cols);
  if (const auto* m = std::get_if<mx_input>(&in))
    return fmt::format("{} MX [{} x {}]", m->name, m->mx.outer, m->mx.inner);
  const auto& list = std::get<index_input>(in);
  return fmt::format("{} ({} indices)", list.name, list.count());
}

std::string about_text(const call& c) {
  std::string text = c.about;
  for (const input& in : c.inputs) text += fmt::format("{}{}", text.empty() ? "" : ", ", shape_text(in));
  return text;
}

case_result run_case(const test_case& c, const context& ctx, const adahop_backend& candidate,
                     const run_options& options) {
  case_result r;
  if (c.needs_data && ctx.data == nullptr) {
    r.missing = "the real tensors, which were not found";
    r.reason = "skipped: " + r.missing;
    return r;
  }
  auto prepared = c.prepare(ctx);
  if (!prepared.ok()) {
    r.what = verdict::failed;
    r.reason = fmt::format("the case could not be prepared: {}", prepared.why().message());
    return r;
  }
  const call& made = prepared.value();
  outcome o = judge(made, *ctx.reference, candidate, options.mode);
  if (o.what == verdict::passed && c.inspect) c.inspect(ctx, o);
  r = {o.what, o.reason, o.missing, o.note, about_text(made), canonical_line(made.rules), made.op, o.differs};
  return r;
}

}  // namespace

std::vector<case_result> run_cases(const case_list& cases, const context& ctx, const adahop_backend& candidate,
                                   const run_options& options) {
  std::vector<case_result> results(cases.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next++; i < cases.size(); i = next++) {
      results[i] = run_case(cases[i], ctx, candidate, options);
      if (options.progress) options.progress();
    }
  };
  std::vector<std::thread> helpers;
  for (int t = 1; t < options.threads; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& t : helpers) t.join();
  return results;
}

}  // namespace adahop::conformance
