// `adahop calibrate`: each file a step; verdicts by majority, why, the pairs and strategies that follow, and the plan
// file. Implements SPEC 12.8, 12.9 for the program; the verdicts are the backend's.
#include "conformance/cli/cmd_calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "adahop/layer/plan_file.h"
#include "conformance/cli/layer_file.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

using json = nlohmann::ordered_json;
using layer::calibration_plan;
using layer::layer_record;
using layer::linear_rules;
using layer::method;
using layer::tensor_record;
using table = std::vector<std::vector<std::string>>;

struct calibrate_options {
  std::vector<std::string> files;
  std::string out;
  bool steps = false;
  policy_options numerics;
  std::string backend = default_backend();
  bool json = false;
};

struct named_tensor {
  const char* name;
  const tensor_record& record;
};
std::array<named_tensor, 3> tensors_of(const layer_record& l) {
  return {{{"x", l.x}, {"w", l.w}, {"grad_output", l.grad_output}}};
}

// Smallest and largest of the two quotients that SPEC 7.6 compares with the ratio, over the steps where they are
// defined.
struct quotient_range {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double q) {
    low = std::min(low, q);
    high = std::max(high, q);
  }
  std::string text() const {
    return low == high ? fmt::format("{:.4g}", low) : fmt::format("{:.4g} to {:.4g}", low, high);
  }
};

// Why the verdict is what it is, in words.
std::string explain(const tensor_record& t, const policy& p) {
  quotient_range row, column;
  int64_t undefined = 0;
  for (const layer::step_statistics& s : t.steps) {
    if (std::isnan(s.cv_row) || std::isnan(s.cv_col)) {
      ++undefined;
      continue;
    }
    row.add(s.cv_row / (s.cv_col + p.pattern_eps));
    column.add(s.cv_col / (s.cv_row + p.pattern_eps));
  }
  const auto steps = static_cast<int64_t>(t.steps.size());
  if (undefined == steps) return "CVrow or CVcol is undefined (NaN, Inf, or a dimension of 1)";
  const layer::vote_count votes = t.votes();
  const adahop_pattern verdict = t.verdict();
  const int64_t most = std::max({votes.row, votes.column, votes.none});
  const auto in_steps = [&] { return steps == 1 ? std::string() : fmt::format(" in {} of {} steps", most, steps); };
  std::string text;
  if (verdict == ADAHOP_PATTERN_ROW)
    text = fmt::format("row/column spread {}, above {}{}", row.text(), p.pattern_ratio, in_steps());
  else if (verdict == ADAHOP_PATTERN_COLUMN)
    text = fmt::format("column/row spread {}, above {}{}", column.text(), p.pattern_ratio, in_steps());
  else
    text = fmt::format("row/column spread {}, column/row {}, neither above {}{}", row.text(), column.text(),
                       p.pattern_ratio, in_steps());
  if (undefined > 0) text += fmt::format("; undefined in {}", undefined);
  if ((votes.row == most) + (votes.column == most) + (votes.none == most) > 1) text += "; a tie, seen first";
  return text;
}

std::string letters(pattern_pair p) { return {letter(p.left), letter(p.right)}; }

linear_rules rules_of(const calibration_plan& plan, const layer_record& l, method m) {
  return {m, l.patterns(), plan.how};
}

// How often each pair occurs on each path, in the order of the paper's table.
struct pair_count {
  pattern_pair pair;
  std::array<int64_t, 3> on_path{};
  int64_t total() const { return on_path[0] + on_path[1] + on_path[2]; }
};
std::vector<pair_count> count_pairs(const calibration_plan& plan) {
  std::vector<pair_count> counts;
  for (const pattern_pair pair : kAllPairs) {
    pair_count n{pair};
    for (const layer_record& l : plan.layers)
      for (const adahop_path path : kPaths) n.on_path[path] += rules_of(plan, l, method::adahop_lv1).pair(path) == pair;
    counts.push_back(n);
  }
  return counts;
}

void print_report(const calibrate_options& o, const calibration_plan& plan) {
  table verdicts{{"layer", "tensor", "verdict", "row", "column", "none", "why"}};
  table steps{{"layer", "tensor", "step", "verdict", "CVrow", "CVcol"}};
  table products{{"layer", "forward", "dX", "dW"}};
  for (const layer_record& l : plan.layers) {
    for (const auto& [tensor, t] : tensors_of(l)) {
      const layer::vote_count v = t.votes();
      verdicts.push_back({l.name, tensor, std::string(name(t.verdict())), fmt::format("{}", v.row),
                          fmt::format("{}", v.column), fmt::format("{}", v.none), explain(t, plan.how)});
      for (size_t i = 0; i < t.steps.size(); ++i)
        steps.push_back({l.name, tensor, fmt::format("{}", i), std::string(name(t.steps[i].verdict)),
                         fmt::format("{:.6g}", t.steps[i].cv_row), fmt::format("{:.6g}", t.steps[i].cv_col)});
    }
    std::vector<std::string> row{l.name};
    for (const adahop_path path : kPaths) {
      const linear_rules one = rules_of(plan, l, method::adahop_lv1), two = rules_of(plan, l, method::adahop_lv2);
      const std::string_view a = layer::name(one.kind(path)), b = layer::name(two.kind(path));
      row.push_back(
          fmt::format("{} {}", letters(one.pair(path)), a == b ? std::string(a) : fmt::format("{}, level 2 {}", a, b)));
    }
    products.push_back(row);
  }
  table counts{{"pair", "total", "forward", "dW", "dX"}};
  for (const pair_count& n : count_pairs(plan))
    counts.push_back({letters(n.pair), fmt::format("{}", n.total()), fmt::format("{}", n.on_path[ADAHOP_PATH_FORWARD]),
                      fmt::format("{}", n.on_path[ADAHOP_PATH_DW]), fmt::format("{}", n.on_path[ADAHOP_PATH_DX])});
  print_table(verdicts);
  if (o.steps) fmt::print("\n"), print_table(steps);
  fmt::print("\n");
  print_table(products);
  fmt::print("\n");
  print_table(counts);
  fmt::print("\n");
  print_fields(
      {{"wrote", fmt::format("{}, {} layers", o.out, plan.layers.size())},
       {"backend", backend_text(o.backend)},
       {"policy", canonical_line(plan.how)}});
}

json tensor_json(const calibrate_options& o, const tensor_record& t, const policy& p) {
  const layer::vote_count v = t.votes();
  json out{{"verdict", name(t.verdict())},
           {"votes", {{"row", v.row}, {"column", v.column}, {"none", v.none}}},
           {"why", explain(t, p)}};
  if (!o.steps) return out;
  out["steps"] = json::array();
  for (const layer::step_statistics& s : t.steps)
    out["steps"].push_back({{"verdict", name(s.verdict)}, {"cv_row", s.cv_row}, {"cv_col", s.cv_col}});
  return out;
}

void print_report_json(const calibrate_options& o, const calibration_plan& plan) {
  json layers = json::array();
  for (const layer_record& l : plan.layers) {
    json one{{"name", l.name}, {"in", l.in}, {"out", l.out}};
    for (const auto& [tensor, t] : tensors_of(l)) one[tensor] = tensor_json(o, t, plan.how);
    for (const adahop_path path : kPaths) {
      const linear_rules level1 = rules_of(plan, l, method::adahop_lv1), level2 = rules_of(plan, l, method::adahop_lv2);
      one["products"][std::string(name(path))] = {{"pair", letters(level1.pair(path))},
                                                  {"level1", layer::name(level1.kind(path))},
                                                  {"level2", layer::name(level2.kind(path))}};
    }
    layers.push_back(one);
  }
  json counts = json::array();
  for (const pair_count& n : count_pairs(plan))
    counts.push_back({{"pair", letters(n.pair)}, {"total", n.total()}, {"forward", n.on_path[ADAHOP_PATH_FORWARD]},
                      {"dW", n.on_path[ADAHOP_PATH_DW]}, {"dX", n.on_path[ADAHOP_PATH_DX]}});
  json report{{"out", o.out}};
  add_backend(report, o.backend);
  report.update({{"policy", canonical_line(plan.how)},
                 {"policy_sha256", policy_hash(plan.how)},
                 {"layers", layers},
                 {"pair_counts", counts}});
  print_json(report);
}

// Adds the layers of one file, a step, to the plan.
status observe_file(const adahop_backend& on, calibration_plan& plan, const std::string& path) {
  const result<std::vector<layer_tensors>> layers = load_layers(path);
  if (!layers.ok()) return layers.why();
  for (const layer_tensors& l : layers.value())
    if (status s = layer::observe(on, plan, l.name, l.x.view(), l.w.view(), l.gy.view()); !s.ok())
      return {s.code(), fmt::format("{}: {}", path, s.message())};
  return {};
}

int run_calibrate(const calibrate_options& o) {
  const result<policy> p = make_policy(o.numerics);
  if (!p.ok()) return fail(p.why());
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  calibration_plan plan;
  plan.how = p.value();
  for (const std::string& path : o.files)
    if (const status s = observe_file(backend.value().table(), plan, path); !s.ok()) return fail(s);
  if (const status s = layer::write_plan(o.out, plan); !s.ok()) return fail(s);
  if (o.json) print_report_json(o, plan);
  else print_report(o, plan);
  return kExitOk;
}

}  // namespace

void add_calibrate(CLI::App& app) {
  auto o = std::make_shared<calibrate_options>();
  CLI::App* c =
      app.add_subcommand("calibrate", "Find the outlier patterns of layers over training steps, and plan with them");
  c->add_option("FILES", o->files,
                "One .safetensors a step, with x [T x I], w [O x I] and gy [T x O] of a layer (its name in the "
                "metadata `layer`, else the file's) or LAYER.x, LAYER.w, LAYER.gy of several")
      ->required();
  c->add_option("--out", o->out, "The plan, a JSON file")->required();
  c->add_flag("--steps", o->steps, "Print the statistics of each step too; the plan always has them");
  add_policy_options(*c, o->numerics);
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "Example: adahop calibrate step*.safetensors --out plan.json\n"
      "Files of the same layer are its steps, in the order given. The verdict is the majority's, a tie goes to the\n"
      "one seen first; `adahop spec 7.6` has the rule for one step. `adahop linear` uses the plan.");
  c->callback([o] { finish(run_calibrate(*o)); });
}

}  // namespace adahop::cli
