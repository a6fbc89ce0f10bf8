// `adahop backends`: the known backends and any .so named, with their capability records in words (SPEC 13.1).
#include "conformance/cli/cmd_backends.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "conformance/backends/registry.h"
#include "conformance/cli/options.h"
#include "conformance/cli/output.h"

namespace adahop::cli {
namespace {

using json = nlohmann::ordered_json;
using conformance::backend_info;

struct backends_options {
  std::vector<std::string> libraries;
  bool json = false;
};

// One mask of the record: its name and those of its bits, in the order of the C ABI's enums.
struct mask {
  std::string_view name;
  uint32_t adahop_capabilities::*bits;
  std::vector<std::string_view> values;
};

const std::vector<mask>& masks() {
  using c = adahop_capabilities;
  static const std::vector<mask> all = {
      {"modes", &c::modes, {"bitexact", "native"}},
      {"memories", &c::memories, {"host", "device"}},
      {"scale_rule", &c::scale_rules, {"floor", "ceil", "even", "rceil"}},
      {"element_rounding", &c::element_roundings, {"rne", "stochastic", "gfx950_sr"}},
      {"nonfinite", &c::nonfinite, {"block_nan", "reject"}},
      {"hadamard_size", &c::hadamard_sizes, {"16", "32", "64", "128"}},
      {"hadamard_signs", &c::hadamard_signs, {"none", "random"}},
      {"hadamard_output", &c::hadamard_outputs, {"f32", "bf16"}},
      {"gemm_model",
       &c::gemm_models,
       {"block_rne", "exact_sum", "mfma_fused", "mfma_seq", "cdna3_trfdpa", "cdna3_gtrfdpa", "block_first_fdpa"}},
      {"bf16_gemm_model", &c::bf16_gemm_models, {"seq_fma", "exact_sum", "cdna3_trfdpa"}},
      {"output", &c::outputs, {"f32", "bf16"}},
      {"pad", &c::pads, {"error", "zero"}},
      {"nibble_order", &c::nibble_orders, {"linear", "ggml_split"}},
      {"scale_layout", &c::scale_layouts, {"linear", "gfx950_shuffle"}},
      {"left_oe_on_dw", &c::left_oe_on_dw, {"published", "port"}},
  };
  return all;
}

std::vector<std::string> names_of(uint32_t bits, const std::vector<std::string_view>& values) {
  std::vector<std::string> names;
  for (size_t i = 0; i < 32; ++i)
    if ((bits >> i & 1u) != 0) names.push_back(i < values.size() ? std::string(values[i]) : fmt::format("bit {}", i));
  return names;
}

std::vector<std::string> operations(const adahop_backend& b) {
  std::vector<std::string> names;
  for (int32_t i = 0; i < ADAHOP_OP_COUNT; ++i)
    if (conformance::claims(b, static_cast<adahop_op>(i)))
      names.push_back(conformance::op_name(static_cast<adahop_op>(i)));
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& n : names)
    text += (text.empty() ? "" : ", ") + n;
  return text.empty() ? "nothing" : text;
}

std::string device(const adahop_backend& b) {
  const auto isa = conformance::isa_of(b);
  return isa ? fmt::format("{}; now: {}", b.device, *isa) : b.device;
}

json to_json(const backend_info& b) {
  json out = {{"name", b.name}, {"available", b.available()}};
  if (!b.available()) {
    out["reason"] = b.reason;
    return out;
  }
  out["device"] = device(*b.table);
  json claims = {{"operations", operations(*b.table)}};
  for (const mask& m : masks())
    claims[std::string(m.name)] = names_of(b.table->capabilities.*m.bits, m.values);
  out["claims"] = claims;
  return out;
}

void print_one(const backend_info& b) {
  if (!b.available()) {
    print_fields({{b.name, "not available: " + b.reason}});
    return;
  }
  std::vector<std::pair<std::string, std::string>> text = {{b.name, device(*b.table)}};
  text.push_back({"  operations", joined(operations(*b.table))});
  for (const mask& m : masks())
    text.push_back({"  " + std::string(m.name), joined(names_of(b.table->capabilities.*m.bits, m.values))});
  print_fields(text);
}

int run_backends(const backends_options& o) {
  std::vector<backend_info> all = conformance::known_backends();
  for (const std::string& path : o.libraries) {
    const auto table = conformance::open_backend(path);
    if (!table.ok()) return fail(table.why());
    all.push_back({path, table.value(), ""});
  }
  if (o.json) {
    json list = json::array();
    for (const backend_info& b : all)
      list.push_back(to_json(b));
    print_json({{"abi_version", ADAHOP_ABI_VERSION}, {"backends", list}});
    return kExitOk;
  }
  for (const backend_info& b : all)
    print_one(b);
  return kExitOk;
}

}  // namespace

void add_backends(CLI::App& app) {
  auto o = std::make_shared<backends_options>();
  CLI::App* c = app.add_subcommand("backends", "List the backends and what they claim");
  c->add_option("LIBRARY", o->libraries, "Paths of further backends, .so");
  add_json_option(*c, o->json);
  c->footer("Example: adahop backends ./libmine.so");
  c->callback([o] { finish(run_backends(*o)); });
}

}  // namespace adahop::cli
