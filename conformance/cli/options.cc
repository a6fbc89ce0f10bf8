// Shared options and what they mean together.
#include "conformance/cli/options.h"

#include <utility>

namespace adahop::cli {

void add_policy_options(CLI::App& command, policy_options& o) {
  std::string names;
  for (const preset& p : presets())
    names += (names.empty() ? "" : ", ") + std::string(p.name);
  command.add_option("--preset", o.preset, "Named policy: " + names)->capture_default_str();
  command.add_option("--policy", o.fields, "Fields over the preset: \"key=value,...\" (see `adahop spec 4.2`)");
  command.add_option("--rule", o.rule, "Scale rule: floor, ceil, even, rceil");
  command.add_option("--min-scale-byte", o.min_byte, "Smallest scale byte: 0 or 1");
  command.add_option("--nonfinite", o.nonfinite, "NaN and Inf: block_nan, reject");
}

result<policy> make_policy(const policy_options& o) {
  result<policy> p = preset_policy(o.preset);
  if (!p.ok()) return p;
  p = parse_policy(o.fields, p.value());
  for (const auto& [key, value] : {std::pair{"scale_rule=", &o.rule}, std::pair{"min_scale_byte=", &o.min_byte},
                                   std::pair{"nonfinite=", &o.nonfinite}}) {
    if (!p.ok()) return p;
    // A comma would smuggle in another field.
    if (value->find(',') != value->npos)
      return invalid_argument("policy: " + std::string(key) + *value + ": expected one value");
    if (!value->empty()) p = parse_policy(key + *value, p.value());
  }
  return p;
}

void add_backend_option(CLI::App& command, std::string& name) {
  command.add_option("--backend", name, "Backend by name (see `adahop backends`) or path to a .so")
      ->capture_default_str();
}

void add_json_option(CLI::App& command, bool& json) { command.add_flag("--json", json, "Print JSON for machines"); }

result<conformance::caller> open_caller(const std::string& name_or_path) {
  const auto table = conformance::open_backend(name_or_path);
  if (!table.ok()) return table.why();
  return conformance::caller(table.value());
}

}  // namespace adahop::cli
