// Tables and JSON of `adahop linear`. Implements SPEC 11.11 for the program.
#include "conformance/cli/linear_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

using json = nlohmann::ordered_json;
using layer::byte_count;
using layer::product_kind;
using layer::saved_bytes;

struct dimensions {
  int64_t m, n, k;
};
dimensions dimensions_of(const layer::linear_shape& s, adahop_path path) {
  switch (path) {
    case ADAHOP_PATH_FORWARD: return {s.tokens, s.out, s.in};
    case ADAHOP_PATH_DX: return {s.tokens, s.in, s.out};
    case ADAHOP_PATH_DW: break;
  }
  return {s.out, s.in, s.tokens};
}

std::string pair_text(const linear_run& r, adahop_path path) {
  if (!layer::uses_patterns(r.rules.how)) return "-";
  const pattern_pair pair = r.rules.pair(path);
  return {letter(pair.left), letter(pair.right)};
}

std::string kind_text(const linear_run& r, adahop_path path) { return std::string(layer::name(r.rules.kind(path))); }

std::string number(int64_t n) { return fmt::format("{}", n); }

// "0.266": a part of what BF16 takes.
std::string ratio(int64_t part, int64_t whole) {
  return fmt::format("{:.4f}", static_cast<double>(part) / static_cast<double>(whole));
}

bool differs(const linear_run& r, adahop_path path) {
  return std::find(r.differing.begin(), r.differing.end(), path) != r.differing.end();
}

void print_run(const linear_run& r, const linear_report_options& o) {
  const layer::linear_shape& s = r.shape;
  std::vector<std::pair<std::string, std::string>> fields{
      {"layer", r.layer},
      {"shape", fmt::format("T {}  I {}  O {}", s.tokens, s.in, s.out)},
      {"method", fmt::format("{}: {}", layer::name(r.rules.how), layer::about(r.rules.how))}};
  if (layer::uses_patterns(r.rules.how))
    fields.emplace_back("patterns", fmt::format("x {}, w {}, grad_output {}", name(r.rules.patterns.x),
                                                name(r.rules.patterns.w), name(r.rules.patterns.gy)));
  fields.emplace_back("backend", backend_text(o.backend));
  fields.emplace_back("policy", canonical_line(r.rules.numerics));
  print_fields(fields);

  std::vector<std::vector<std::string>> products{
      {"product", "pair", "strategy", "M", "N", "K", "whole product", "SHA-256"}};
  for (const adahop_path path : kPaths) {
    const dimensions d = dimensions_of(s, path);
    const char* whole = !o.checked ? "-" : differs(r, path) ? "DIFFERS" : "equal";
    products.push_back({std::string(name(path)), pair_text(r, path), kind_text(r, path), number(d.m), number(d.n),
                        number(d.k), whole, r.outputs[path].sha256});
  }
  std::vector<std::vector<std::string>> saved{
      {"saved", "for", "strategy", "quantized", "outliers", "indices", "BF16", "bytes", "BF16 tensor", "ratio"}};
  const auto row = [&](const char* tensor, adahop_path path, const byte_count& n, int64_t whole) {
    saved.push_back({tensor, std::string(name(path)), kind_text(r, path), number(n.quantized), number(n.outliers),
                     number(n.indices), number(n.operand), number(n.total()), number(whole), ratio(n.total(), whole)});
  };
  row("X", ADAHOP_PATH_DW, r.saved.x, r.saved.x_bf16);
  row("W", ADAHOP_PATH_DX, r.saved.w, r.saved.w_bf16);
  saved.push_back({"total", "", "", "", "", "", "", number(r.saved.total()), number(r.saved.total_bf16()),
                   ratio(r.saved.total(), r.saved.total_bf16())});
  std::vector<std::vector<std::string>> each{{"if both were", "X", "W", "bytes", "ratio"}};
  for (const product_kind kind : layer::kAllKinds) {
    const saved_bytes n = layer::bytes_of(r.rules.numerics, kind, s);
    each.push_back({std::string(layer::name(kind)), number(n.x.total()), number(n.w.total()), number(n.total()),
                    ratio(n.total(), n.total_bf16())});
  }
  for (const auto* t : {&products, &saved, &each}) {
    fmt::print("\n");
    print_table(*t);
  }
}

json bytes_json(const byte_count& n) {
  return {{"quantized", n.quantized},
          {"outliers", n.outliers},
          {"indices", n.indices},
          {"bf16", n.operand},
          {"total", n.total()}};
}

json run_json(const linear_run& r, const linear_report_options& o) {
  const layer::linear_shape& s = r.shape;
  json out{
      {"layer", r.layer}, {"tokens", s.tokens}, {"in", s.in}, {"out", s.out}, {"method", layer::name(r.rules.how)}};
  if (layer::uses_patterns(r.rules.how))
    out["patterns"] = {
        {"x", name(r.rules.patterns.x)}, {"w", name(r.rules.patterns.w)}, {"grad_output", name(r.rules.patterns.gy)}};
  for (const adahop_path path : kPaths) {
    const dimensions d = dimensions_of(s, path);
    json& p = out["products"][std::string(name(path))];
    p = {{"pair", layer::uses_patterns(r.rules.how) ? json(pair_text(r, path)) : json()},
         {"strategy", kind_text(r, path)},
         {"m", d.m},
         {"n", d.n},
         {"k", d.k},
         {"dtype", io::name(r.outputs[path].type)},
         {"shape", r.outputs[path].shape},
         {"sha256", r.outputs[path].sha256}};
    if (o.checked) p["equals_whole_product"] = !differs(r, path);
  }
  out["saved"] = {{"x", bytes_json(r.saved.x)}, {"w", bytes_json(r.saved.w)}, {"total", r.saved.total()},
                  {"bf16_total", r.saved.total_bf16()}};
  for (const product_kind kind : layer::kAllKinds) {
    const saved_bytes n = layer::bytes_of(r.rules.numerics, kind, s);
    out["saved_by_strategy"][std::string(layer::name(kind))] = {
        {"x", n.x.total()}, {"w", n.w.total()}, {"total", n.total()}};
  }
  return out;
}

}  // namespace

void print_runs(const std::vector<linear_run>& runs, const linear_report_options& o) {
  if (!o.json) {
    for (const linear_run& r : runs) {
      if (&r != &runs.front()) fmt::print("\n");
      print_run(r, o);
    }
    if (!o.out.empty()) fmt::print("\nwrote {} files in {}\n", runs.size(), o.out);
    return;
  }
  json layers = json::array();
  for (const linear_run& r : runs) layers.push_back(run_json(r, o));
  const policy& p = runs.front().rules.numerics;
  json report;
  add_backend(report, o.backend);
  report.update({{"policy", canonical_line(p)}, {"policy_sha256", policy_hash(p)}, {"layers", layers}});
  print_json(report);
}

}  // namespace adahop::cli
