// Worker threads over a shared counter; each case builds its own inputs and lets them go.
#include "conformance/suites/runner.h"

#include <fmt/format.h>

#include <algorithm>
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
  // Options are no claims: what the case's one needs can be at odds with what the caller set another one to.
  if (c.option && !options.set_options.empty() && o.what == verdict::failed && o.got.status == ADAHOP_UNSUPPORTED) {
    r.missing = fmt::format("option {}={} beside the options given", c.option->key, c.option->value);
    r.reason = "not covered: " + o.reason;
    return r;
  }
  if (o.what == verdict::passed && c.inspect) c.inspect(ctx, o);
  r = {o.what,  o.reason, o.missing, o.note, about_text(made), canonical_line(made.rules), made.op, o.native, o.differs};
  return r;
}

case_result not_begun() {
  case_result r;
  r.missing = "--fail-fast: another case had failed";
  r.reason = "not run: another case had failed";
  return r;
}

case_result not_covered(const backend_option& option, const adahop_backend& candidate) {
  case_result r;
  r.missing = fmt::format("option {}={}", option.key, option.value);
  r.reason = fmt::format("not covered: {} does not take {}", candidate.name, r.missing);
  return r;
}

}  // namespace

scoped_option::scoped_option(const adahop_backend& backend, const std::optional<backend_option>& option,
                             const run_options& options)
    : backend_(backend) {
  if (!option) return;
  key_ = option->key;
  before_ = option->initial;
  for (const auto& [key, value] : options.set_options)
    if (key == key_) before_ = value;
  accepted_ = backend.set_option != nullptr && backend.set_option(key_.c_str(), option->value.c_str()) == ADAHOP_OK;
}

scoped_option::~scoped_option() {
  if (!key_.empty() && accepted_) backend_.set_option(key_.c_str(), before_.c_str());
}

std::vector<case_result> run_cases(const case_list& cases, const context& ctx, const adahop_backend& candidate,
                                   const run_options& options) {
  std::vector<case_result> results(cases.size());
  std::vector<std::optional<backend_option>> groups{std::nullopt};
  for (const test_case& c : cases)
    if (std::find(groups.begin(), groups.end(), c.option) == groups.end()) groups.push_back(c.option);
  std::atomic<bool> stopped{false};
  for (const std::optional<backend_option>& group : groups) {
    const scoped_option option(candidate, group, options);
    std::atomic<size_t> next{0};
    const auto work = [&] {
      for (size_t i = next++; i < cases.size(); i = next++) {
        if (cases[i].option != group) continue;
        if (stopped)
          results[i] = not_begun();
        else
          results[i] = option.accepted() ? run_case(cases[i], ctx, candidate, options) : not_covered(*group, candidate);
        if (options.fail_fast && results[i].what == verdict::failed) stopped = true;
        if (options.progress) options.progress();
      }
    };
    std::vector<std::thread> helpers;
    for (int t = 1; t < options.threads; ++t) helpers.emplace_back(work);
    work();
    for (std::thread& t : helpers) t.join();
  }
  return results;
}

}  // namespace adahop::conformance
