// `adahop inspect`: one block of text, or one JSON object, for each tensor of a file, or for a quantized file.
#include "conformance/cli/cmd_inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "adahop/io/file.h"
#include "adahop/io/mx_file.h"
#include "adahop/plan.h"
#include "conformance/cli/operand.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"
#include "conformance/cli/tensor_statistics.h"

namespace adahop::cli {
namespace {

using json = nlohmann::ordered_json;
using field_lines = std::vector<std::pair<std::string, std::string>>;

struct inspect_options {
  source_options in;
  int top = 8;
  policy_options numerics;
  std::string backend = default_backend();
  bool json = false;
};

std::string scores_text(const std::vector<scored_index>& scores) {
  std::string text;
  for (const scored_index& s : scores)
    text += fmt::format("{}{} ({:.4g})", text.empty() ? "" : ", ", s.index, s.score);
  return text.empty() ? "- (needs a length that is a multiple of 32)" : text;
}

json scores_json(const std::vector<scored_index>& scores) {
  json out = json::array();
  for (const scored_index& s : scores)
    out.push_back({{"index", s.index}, {"score", s.score}});
  return out;
}

std::string clipped_text(const clipped_counts& n) {
  if (!n) return "- (needs a length that is a multiple of 32)";
  return fmt::format("floor {}  ceil {}  even {}  rceil {}", (*n)[0], (*n)[1], (*n)[2], (*n)[3]);
}

json clipped_json(const clipped_counts& n) {
  if (!n) return nullptr;
  return {{"floor", (*n)[0]}, {"ceil", (*n)[1]}, {"even", (*n)[2]}, {"rceil", (*n)[3]}};
}

std::string_view pattern_name(const tensor_statistics& s) {
  return name(static_cast<adahop_pattern>(s.pattern.pattern));
}

field_lines statistics_lines(const tensor_statistics& s, const std::string& backend) {
  return {{"pattern", fmt::format("{}: {}", pattern_name(s), s.reason)},
          {"CVrow / CVcol", fmt::format("{:.6g} / {:.6g}", s.pattern.cv_row, s.pattern.cv_col)},
          {"top rows (FOID)", scores_text(s.top_rows)},
          {"top columns (FOID)", scores_text(s.top_columns)},
          {"amax", fmt::format("{:.9g}", s.values.amax)},
          {"zeros, subnormals", fmt::format("{}, {}", s.values.zeros, s.values.subnormals)},
          {"NaN, Inf", fmt::format("{}, {}", s.values.nans, s.values.infs)},
          {"clipped, axis 1", clipped_text(s.clipped_axis1)},
          {"clipped, axis 0", clipped_text(s.clipped_axis0)},
          {"backend", backend_text(backend)}};
}

json statistics_json(const tensor_statistics& s, const policy& p) {
  return {{"pattern", pattern_name(s)},
          {"reason", s.reason},
          {"cv_row", s.pattern.cv_row},
          {"cv_col", s.pattern.cv_col},
          {"row_over_column", s.row_over_column},
          {"column_over_row", s.column_over_row},
          {"pattern_ratio", p.pattern_ratio},
          {"top_rows", scores_json(s.top_rows)},
          {"top_columns", scores_json(s.top_columns)},
          {"amax", s.values.amax},
          {"zeros", s.values.zeros},
          {"subnormals", s.values.subnormals},
          {"nans", s.values.nans},
          {"infs", s.values.infs},
          {"clipped_axis1", clipped_json(s.clipped_axis1)},
          {"clipped_axis0", clipped_json(s.clipped_axis0)}};
}

void print_mx(const inspect_options& o, const io::mx_file& m) {
  const io::tensor_bytes scales = m.linear_scales();
  const auto nan_blocks = std::count(scales.begin(), scales.end(), kE8m0Nan);
  int low = 255, high = 0;
  for (const uint8_t s : scales)
    if (s != kE8m0Nan) low = std::min<int>(low, s), high = std::max<int>(high, s);
  const bool finite = low <= high;
  int64_t zeros = 0;
  for (const uint8_t byte : m.data.codes)
    zeros += ((byte & 0x07) == 0) + ((byte & 0x70) == 0);
  const int64_t elements = m.data.outer * m.data.inner;
  const auto bytes = static_cast<int64_t>(m.data.codes.size() + m.data.scales.size());
  if (o.json) {
    print_json({{"file", o.in.path},
                {"kind", "quantized"},
                {"logical_shape", m.logical_shape},
                {"axis", m.axis},
                {"outer", m.data.outer},
                {"inner", m.data.inner},
                {"hadamard", m.applied != io::transform::none},
                {"clipped", m.clipped},
                {"zero_codes", zeros},
                {"nan_blocks", nan_blocks},
                {"min_scale_byte", finite ? json(low) : json()},
                {"max_scale_byte", finite ? json(high) : json()},
                {"bytes", bytes},
                {"policy", canonical_line(m.how)},
                {"policy_sha256", policy_hash(m.how)}});
    return;
  }
  print_fields({{"file", o.in.path + ", quantized to MXFP4"},
                {"logical shape", io::shape_text(m.logical_shape)},
                {"stored", fmt::format("[{}, {}], axis {}{}", m.data.outer, m.data.inner, m.axis,
                                       m.applied == io::transform::none ? "" : ", Hadamard-transformed")},
                {"scale bytes", scales.empty() ? "none"
                                : finite       ? fmt::format("{} to {}, {} NaN blocks", low, high, nan_blocks)
                                               : fmt::format("{} NaN blocks only", nan_blocks)},
                {"zero codes", fmt::format("{} of {}", zeros, elements)},
                {"clipped", fmt::format("{} of {}", m.clipped, elements)},
                {"size", fmt::format("{} bytes, BF16 would be {}", bytes, 2 * elements)},
                {"policy", canonical_line(m.how)},
                {"policy SHA-256", policy_hash(m.how)}});
}

// What there is to say of one tensor: statistics, or the reason why there are none.
struct description {
  std::string name, dtype;
  std::vector<int64_t> shape;
  std::optional<tensor_statistics> found;
  std::string why_not = "no statistics, not a float type that is read";
};

result<description> describe(const conformance::caller& backend, const policy& p, const inspect_options& o,
                             std::string name, io::array data) {
  description d{.name = std::move(name), .dtype = std::string(io::name(data.type)), .shape = data.shape, .found = {}};
  const bool floats = data.type == io::dtype::bf16 || data.type == io::dtype::f32 || data.type == io::dtype::f64;
  if (!floats) return d;
  if (data.bytes.empty()) {
    d.why_not = "no elements";
    return d;
  }
  result<operand> x = to_operand({fmt::format("{}: '{}'", o.in.path, io::printable(d.name)), std::move(data)});
  if (!x.ok()) return x.why();
  result<tensor_statistics> s = analyse(backend, p, x.value(), o.top);
  if (!s.ok()) return s.why();
  d.found = std::move(s).value();
  return d;
}

void print_descriptions(const inspect_options& o, const policy& p, const std::vector<description>& all) {
  if (o.json) {
    json tensors = json::array();
    for (const description& d : all) {
      json one = {{"name", d.name}, {"dtype", d.dtype}, {"shape", d.shape}};
      if (d.found) one.update(statistics_json(*d.found, p));
      tensors.push_back(one);
    }
    json report{{"file", o.in.path}, {"kind", "tensors"}};
    add_backend(report, o.backend);
    report.update({{"policy", canonical_line(p)}, {"tensors", tensors}});
    print_json(report);
    return;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    const description& d = all[i];
    field_lines text = {{"tensor", fmt::format("{}, {} {}", d.name, d.dtype, io::shape_text(d.shape))}};
    if (d.found)
      for (auto& line : statistics_lines(*d.found, o.backend))
        text.push_back(std::move(line));
    else text.push_back({"values", d.why_not});
    if (i > 0) fmt::print("\n");
    print_fields(text);
  }
}

int inspect_npy(const inspect_options& o, const conformance::caller& backend, const policy& p) {
  result<source> s = load_source(o.in);
  if (!s.ok()) return fail(s.why());
  const result<description> d = describe(backend, p, o, o.in.path, std::move(s->data));
  if (!d.ok()) return fail(d.why());
  print_descriptions(o, p, {d.value()});
  return kExitOk;
}

int inspect_safetensors(const inspect_options& o, const conformance::caller& backend, const policy& p) {
  const result<io::safetensors> file = io::safetensors::read(o.in.path);
  if (!file.ok()) return fail(file.why());
  if (io::is_mx_file(file.value()) && o.in.tensor.empty()) {
    const result<io::mx_file> m = io::parse_mx_file(file.value());
    if (!m.ok()) return fail(m.why());
    print_mx(o, m.value());
    return kExitOk;
  }
  std::vector<description> all;
  for (const io::tensor_entry& t : file.value().tensors()) {
    if (!o.in.tensor.empty() && t.name != o.in.tensor) continue;
    if (!t.type) {
      all.push_back({.name = t.name, .dtype = t.dtype_name, .shape = t.shape, .found = {}});
      continue;
    }
    result<io::array> data = file.value().load(t.name);
    if (!data.ok()) return fail(data.why());
    result<description> d = describe(backend, p, o, t.name, std::move(data).value());
    if (!d.ok()) return fail(d.why());
    all.push_back(std::move(d).value());
  }
  if (all.empty() && !o.in.tensor.empty()) return fail(file.value().load(o.in.tensor).why());
  print_descriptions(o, p, all);
  return kExitOk;
}

int run_inspect(const inspect_options& o) {
  const result<policy> p = make_policy(o.numerics);
  if (!p.ok()) return fail(p.why());
  const result<file_kind> kind = kind_of(o.in.path);
  if (!kind.ok()) return fail(kind.why());
  const auto backend = open_caller(o.backend);
  if (!backend.ok()) return fail(backend.why());
  return kind.value() == file_kind::npy ? inspect_npy(o, backend.value(), p.value())
                                        : inspect_safetensors(o, backend.value(), p.value());
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto o = std::make_shared<inspect_options>();
  CLI::App* c = app.add_subcommand("inspect", "Describe the tensors of a file, or a quantized file");
  c->add_option("FILE", o->in.path, ".npy or .safetensors")->required();
  c->add_option("--tensor", o->in.tensor, "One tensor of a .safetensors; without it, all");
  c->add_option("--top", o->top, "How many outlier rows and columns to list")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  c->add_flag("--u2-bf16", o->in.u2_is_bf16, "A .npy of uint16 holds BF16 bits");
  add_policy_options(*c, o->numerics);
  add_backend_option(*c, o->backend);
  add_json_option(*c, o->json);
  c->footer(
      "Example: adahop inspect layer.safetensors --tensor x\n"
      "Tensors of more than two dimensions are taken as [-1, last]. FOID is the outlier score of SPEC chapter 9.");
  c->callback([o] { finish(run_inspect(*o)); });
}

}  // namespace adahop::cli
