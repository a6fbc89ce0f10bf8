// `adahop linear`: forward, dX and dW of a layer through a backend's stage operations, bytes saved for backward, and
// SHA-256 of the three outputs. Implements SPEC 11.8 to 11.12 for the program.
#include "conformance/cli/cmd_linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "adahop/io/file.h"
#include "adahop/io/safetensors.h"
#include "adahop/layer/plan_file.h"
#include "conformance/cli/layer_file.h"
#include "conformance/cli/linear_report.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

struct linear_options {
  std::string file, plan, layer, method = "adahop_lv1", fields, out;
  bool check = false;
  std::string backend = default_backend();
  bool json = false;
};

// [.., n]: the leading dimensions of X live on in Y.
std::vector<int64_t> with_last(std::vector<int64_t> shape, int64_t n) {
  if (shape.empty()) return {1, n};
  shape.back() = n;
  return shape;
}

// What is known of a layer before anything is computed.
result<layer::linear_rules> rules_for(const linear_options& o, const layer::calibration_plan* plan, layer::method m,
                                      const policy& p, const layer_tensors& l) {
  layer::linear_rules rules{m, {}, p};
  if (plan == nullptr) return rules;
  const layer::layer_record* record = plan->find(l.name);
  if (record == nullptr && !layer::uses_patterns(m)) return rules;
  if (record == nullptr)
    return invalid_argument(fmt::format("{}: expected the layer '{}' of {}, found {} layers, the first '{}'", o.plan,
                                        l.name, o.file, plan->layers.size(), plan->layers.front().name));
  const adahop_view w = l.w.view();
  if (w.rows != record->out || w.cols != record->in)
    return invalid_argument(fmt::format("{}: shape: expected [{}, {}] as in {}, found [{}, {}]", l.w.where, record->out,
                                        record->in, o.plan, w.rows, w.cols));
  rules.patterns = record->patterns();
  return rules;
}

// A layer's name as that of a file: what is no letter, digit, dot, dash or underscore becomes an underscore.
std::string file_name(std::string name) {
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
          c == '_'))
      c = '_';
  if (name.front() == '.') name.front() = '_';
  return name + ".safetensors";
}

// The layers asked for, each fit to run and to be written.
result<std::vector<layer_tensors>> layers_of(const linear_options& o) {
  result<std::vector<layer_tensors>> layers = load_layers(o.file);
  if (!layers.ok()) return layers;
  if (!o.layer.empty()) std::erase_if(layers.value(), [&](const layer_tensors& l) { return l.name != o.layer; });
  if (layers->empty())
    return invalid_argument(
        fmt::format("{}: --layer: expected a layer of the file, found {}", o.file, io::in_quotes(o.layer)));
  std::set<std::string> names;
  for (const layer_tensors& l : layers.value()) {
    if (!layer::is_layer_name(l.name))
      return bad_file(fmt::format("{}: layer {}: expected a name of 1 to 256 printable ASCII characters", o.file,
                                  io::in_quotes(l.name)));
    if (!names.insert(file_name(l.name)).second)
      return bad_file(fmt::format("{}: layer '{}': expected names that differ as file names", o.file, l.name));
    for (const operand* t : {&l.x, &l.w, &l.gy})
      if (t->dtype != ADAHOP_BF16) return bad_file(fmt::format("{}: dtype: expected BF16, found F32 or F64", t->where));
  }
  return layers;
}

// The paths whose products from what was saved differ from the backend's whole ones.
result<std::vector<adahop_path>> differing_paths(const adahop_backend& on, const layer::linear_rules& rules,
                                                 const layer_tensors& l, const std::array<io::array, 3>& found) {
  std::vector<adahop_path> paths;
  for (const adahop_path path : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW}) {
    const auto [left, right] = layer::operands_of(path, l.x.view(), l.w.view(), l.gy.view());
    output_matrix c(rules.numerics.output, left.rows, right.rows);
    if (status s = layer::run_product(on, rules.numerics, rules.how, rules.pair(path), path, left, right, c.view());
        !s.ok())
      return s;
    if (c.take({left.rows, right.rows}).bytes != found[path].bytes) paths.push_back(path);
  }
  return paths;
}

status write_outputs(const linear_options& o, const linear_run& run, const std::array<io::array, 3>& outputs) {
  std::error_code error;
  std::filesystem::create_directories(o.out, error);
  if (error) return io_error(fmt::format("{}: cannot be created: {}", o.out, error.message()));
  const policy& p = run.rules.numerics;
  return io::write_safetensors(o.out + "/" + file_name(run.layer),
                               {{"y", outputs[0]}, {"gx", outputs[1]}, {"gw", outputs[2]}},
                               {{"layer", run.layer}, {"method", std::string(layer::name(run.rules.how))},
                                {"policy", canonical_line(p)}, {"policy_sha256", policy_hash(p)}});
}

// One layer, written where that is asked for; its outputs do not wait for the other layers.
result<linear_run> run_layer(const linear_options& o, const adahop_backend& on, const layer::linear_rules& rules,
                             const layer_tensors& l) {
  const auto in_file = [&](const status& s) {
    return status(s.code(), fmt::format("{}: layer '{}': {}", o.file, l.name, s.message()));
  };
  const adahop_view x = l.x.view(), w = l.w.view(), gy = l.gy.view();
  const int32_t dtype = rules.numerics.output;
  output_matrix y(dtype, x.rows, w.rows), gx(dtype, x.rows, x.cols), gw(dtype, w.rows, w.cols);
  const result<layer::linear_saved> saved = layer::linear_forward(on, rules, x, w, y.view());
  if (!saved.ok()) return in_file(saved.why());
  if (const status s = layer::linear_backward(on, saved.value(), gy, gx.view(), gw.view()); !s.ok()) return in_file(s);
  const std::array<io::array, 3> outputs{y.take(with_last(l.x.shape, w.rows)), gx.take(l.x.shape), gw.take(l.w.shape)};
  linear_run run{l.name, rules, saved->shape, layer::bytes_of(saved.value()), {}, {}};
  if (o.check) {
    const auto differing = differing_paths(on, rules, l, outputs);
    if (!differing.ok()) return in_file(differing.why());
    run.differing = differing.value();
  }
  if (!o.out.empty()) ADAHOP_TRY(write_outputs(o, run, outputs));
  for (const adahop_path path : kPaths)
    run.outputs[path] = {outputs[path].type, outputs[path].shape, sha256_hex(outputs[path].bytes)};
  return run;
}

int run_linear(const linear_options& o) {
  const result<layer::method> m = layer::parse_method(o.method);
  if (!m.ok()) return fail(m.why());
  if (o.plan.empty() && layer::uses_patterns(m.value()))
    return fail(invalid_argument(fmt::format("usage: --plan: expected a plan for the method {}", o.method)));
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  result<layer::calibration_plan> plan = layer::calibration_plan{};
  if (!o.plan.empty()) plan = layer::read_plan(o.plan);
  if (!plan.ok()) return fail(plan.why());
  const result<policy> p = parse_policy(o.fields, plan->how);
  if (!p.ok()) return fail(p.why());
  const result<std::vector<layer_tensors>> layers = layers_of(o);
  if (!layers.ok()) return fail(layers.why());

  std::vector<linear_run> runs;
  for (const layer_tensors& l : layers.value()) {
    const auto rules = rules_for(o, o.plan.empty() ? nullptr : &plan.value(), m.value(), p.value(), l);
    if (!rules.ok()) return fail(rules.why());
    result<linear_run> run = run_layer(o, backend.value().table(), rules.value(), l);
    if (!run.ok()) return fail(run.why());
    runs.push_back(std::move(run).value());
  }
  print_runs(runs, {o.backend, o.out, o.check, o.json});
  const bool all_equal = std::all_of(runs.begin(), runs.end(), [](const linear_run& r) { return r.differing.empty(); });
  return all_equal ? kExitOk : kExitDiffers;
}

}  // namespace

void add_linear(CLI::App& app) {
  auto o = std::make_shared<linear_options>();
  CLI::App* c = app.add_subcommand("linear", "The three products of a layer, and what is saved for the backward pass");
  std::string names;
  for (const layer::method m : layer::kAllMethods)
    names += fmt::format("{}{} ({})", names.empty() ? "" : "; ", layer::name(m), layer::about(m));
  c->add_option("FILE", o->file,
                ".safetensors with x [T x I], w [O x I] and gy [T x O] in BF16, as `calibrate` takes them")
      ->required();
  c->add_option("--plan", o->plan, "Plan of `adahop calibrate`; the AdaHOP methods need one");
  c->add_option("--layer", o->layer, "One layer of a file that holds several; without it, all");
  c->add_option("--method", o->method, names)->capture_default_str();
  c->add_option("--policy", o->fields, "Fields over the plan's policy: \"key=value,...\" (see `adahop spec 4.2`)");
  c->add_option("--out", o->out, "Folder for LAYER.safetensors with y, gx and gw; made if it is not there");
  c->add_flag("--check", o->check, "Compare with the backend's whole products; exit status 1 if bits differ");
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "Example: adahop linear layer.safetensors --plan plan.json --method adahop_lv2 --out outputs --check\n"
      "Backward runs from what forward saved alone. Saved bytes: 17 for each block of 32, 2 for each BF16 element,\n"
      "4 for each index; W counts like X, although a trainer holds it in BF16 anyway. The SHA-256 is that of an\n"
      "output's values.");
  c->callback([o] { finish(run_linear(*o)); });
}

}  // namespace adahop::cli
