// `adahop explain`: replays a saved case around its first differing element, step by step, with the clauses that each
// step follows. Exit status 0 when the backends asked give the expected element, 1 when one does not, 2 for bad input.
#include "conformance/cli/cmd_explain.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "conformance/cli/cmd_sim_recording.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/report/explain.h"

namespace adahop::cli {
namespace {

using namespace adahop::conformance;
using json = nlohmann::ordered_json;

struct explain_options {
  std::string path;
  std::vector<std::string> backends;
  bool json = false;
  recording_options recording;
};

// The element as one backend gives it now.
struct answer {
  std::string backend, bits, value, error;
  bool as_expected = false;
};

result<answer> ask(const saved_case& c, const std::string& name, const recording_options& recording) {
  const auto backend = open_backend(name);
  if (!backend.ok()) return backend.why();
  answer a;
  a.backend = name;
  const auto again = call_of(c);
  if (!again.ok()) return again.why();
  if (!claims(*backend.value(), c.op)) {
    a.error = "does not claim the operation";
    return a;
  }
  ADAHOP_TRY(begin_recording(*backend.value(), recording));
  const execution e = execute(again.value(), *backend.value(), 0x5A);
  ADAHOP_TRY(end_recording(*backend.value(), recording));
  if (e.status != ADAHOP_OK && e.status != ADAHOP_NONFINITE) {
    a.error = fmt::format("{} ({})", status_name(e.status), e.error);
    return a;
  }
  const saved_array& expected = c.arrays.at("expected." + c.output);
  for (const guarded_array& out : e.outputs) {
    if (out.spec().name != c.output || c.row >= out.spec().rows || c.col >= out.spec().cols) continue;
    const uint64_t bits = out.bits(c.row, c.col);
    a.bits = bits_text(out.spec().kind, bits);
    a.value = value_text(out.spec().kind, bits);
    a.as_expected = bits == expected.at(c.row, c.col);
    return a;
  }
  a.error = "has no such element";
  return a;
}

std::string side_text(const saved_case& c, const char* side) {
  const saved_array& a = c.arrays.at(std::string(side) + c.output);
  return fmt::format("{} = {}", bits_text(a.kind, a.at(c.row, c.col)), value_text(a.kind, a.at(c.row, c.col)));
}

void print(const saved_case& c, const std::vector<step>& steps, const std::vector<answer>& answers) {
  fmt::print("case     {}\nstage    {}; SPEC {}\n", c.name, c.stage, c.clauses);
  fmt::print("policy   {}\nwhy      {}\n", canonical_line(c.rules), c.reason);
  fmt::print("element  {} (row {}, col {}): expected {}, {} gave {}\n", c.output, c.row, c.col, side_text(c, "expected."),
             c.backend, side_text(c, "got."));
  if (c.native) fmt::print("mode     native: judged from gemm_model=exact_sum, which the steps below follow\n");
  for (const answer& a : answers)
    fmt::print("now      {}: {}\n", a.backend,
               a.error.empty() ? fmt::format("{} = {}, {}", a.bits, a.value, a.as_expected ? "as expected" : "differs") : a.error);
  for (size_t i = 0; i < steps.size(); ++i) {
    fmt::print("\nstep {}: {} (SPEC {})\n", i + 1, steps[i].title, steps[i].clauses);
    for (const std::string& line : steps[i].lines) fmt::print("  {}\n", line);
  }
}

json to_json(const saved_case& c, const std::vector<step>& steps, const std::vector<answer>& answers) {
  json out = {{"case", c.name},     {"stage", c.stage}, {"clauses", c.clauses}, {"operation", op_name(c.op)},
              {"policy", canonical_line(c.rules)}, {"mode", c.native ? "native" : "bitexact"}, {"reason", c.reason}, {"output", c.output},
              {"row", c.row},       {"col", c.col},     {"expected", side_text(c, "expected.")}, {"got", side_text(c, "got.")}};
  out["backends"] = json::array();
  for (const answer& a : answers) {
    json entry = {{"backend", a.backend}, {"as_expected", a.as_expected}};
    if (a.error.empty())
      entry.update({{"bits", a.bits}, {"value", a.value}});
    else
      entry["error"] = a.error;
    out["backends"].push_back(std::move(entry));
  }
  out["steps"] = json::array();
  for (const step& s : steps) out["steps"].push_back({{"title", s.title}, {"clauses", s.clauses}, {"lines", s.lines}});
  return out;
}

int run_explain(const explain_options& o) {
  if (const status s = check_recording(o.recording, o.json); !s.ok()) return fail(s);
  if (o.recording.any() && o.backends.size() != 1)
    return fail(invalid_argument("--trace: expected one --backend, the one to be traced"));
  const auto c = read_case(o.path);
  if (!c.ok()) return fail(c.why());
  // The reference checks the call's shapes before anything is computed from them.
  std::vector<answer> answers;
  std::vector<std::string> names{"reference"};
  names.insert(names.end(), o.backends.begin(), o.backends.end());
  for (const std::string& name : names) {
    auto a = ask(c.value(), name, name == "reference" ? recording_options() : o.recording);
    if (!a.ok()) return fail(status(a.why().code(), fmt::format("{}: {}", o.path, a.why().message())));
    if (name == "reference" && !a.value().error.empty())
      return fail(bad_file(fmt::format("{}: the reference refuses the case: {}", o.path, a.value().error)));
    answers.push_back(std::move(a).value());
  }
  const auto steps = explain(c.value());
  if (!steps.ok()) return fail(status(steps.why().code(), fmt::format("{}: {}", o.path, steps.why().message())));
  if (o.json)
    print_json(to_json(c.value(), steps.value(), answers));
  else
    print(c.value(), steps.value(), answers);
  for (const answer& a : answers)
    if (!a.as_expected && a.backend != "reference") return kExitDiffers;
  return kExitOk;
}

}  // namespace

void add_explain(CLI::App& app) {
  auto o = std::make_shared<explain_options>();
  CLI::App* c = app.add_subcommand("explain", "Replay a failing case that conform saved, step by step");
  c->add_option("case", o->path, "CASE.json, with CASE.safetensors beside it")->required();
  c->add_option("--backend", o->backends, "Also run the case on this backend; may be given several times");
  add_recording_options(*c, o->recording, false);
  add_json_option(*c, o->json);
  c->footer(
      "Examples: adahop conform --backend ./mine.so --report out; adahop explain out/CASE.json --backend ./mine.so\n"
      "          adahop explain out/CASE.json --backend gfx950-sim --trace hadamard_bf16:0.0:0-7");
  c->callback([o] { finish(run_explain(*o)); });
}

}  // namespace adahop::cli
