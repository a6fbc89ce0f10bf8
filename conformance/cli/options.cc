// Shared options and what they mean together.
#include "conformance/cli/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace adahop::cli {
namespace {

constexpr const char* kSimd = "simd";
constexpr const char* kReference = "reference";

// A comma outside parentheses would smuggle in another field.
bool is_one_value(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0) return false;
  }
  return true;
}

// The instruction set of the backend simd; none of others.
std::optional<std::string> isa_named(const std::string& name_or_path) {
  if (name_or_path != kSimd) return std::nullopt;
  const auto table = conformance::open_backend(name_or_path);
  return table.ok() ? conformance::isa_of(*table.value()) : std::nullopt;
}

}  // namespace

std::string default_backend() {
  const char* const asked = std::getenv("ADAHOP_ISA");
  // Whoever asks for an instruction set that is not there learns so when the backend is opened.
  if (!conformance::open_backend(kSimd).ok()) return asked != nullptr && *asked != '\0' ? kSimd : kReference;
  return isa_named(kSimd) == "scalar" ? kReference : kSimd;
}

std::string backend_text(const std::string& name_or_path) {
  const auto isa = isa_named(name_or_path);
  return isa ? fmt::format("{} ({})", name_or_path, *isa) : name_or_path;
}

void add_backend(nlohmann::ordered_json& out, const std::string& name_or_path) {
  out["backend"] = name_or_path;
  if (const auto isa = isa_named(name_or_path)) out["isa"] = *isa;
}

void add_policy_options(CLI::App& command, policy_options& o) {
  std::string names;
  for (const preset& p : presets())
    names += (names.empty() ? "" : ", ") + std::string(p.name);
  command.add_option("--preset", o.preset, "Named policy: " + names)->capture_default_str();
  command.add_option("--policy", o.fields, "Fields over the preset: \"key=value,...\" (see `adahop spec 4.2`)");
  command.add_option("--rule", o.rule, "Scale rule: floor, ceil, even, rceil");
  command.add_option("--min-scale-byte", o.min_byte, "Smallest scale byte: 0 or 1");
  command.add_option("--nonfinite", o.nonfinite, "NaN and Inf: block_nan, reject");
  command.add_option("--rounding", o.rounding, "Elements: rne, \"stochastic(bits,seed,offset)\", \"gfx950_sr(seed)\"");
  command.add_option("--hadamard-size", o.size, "Points of the transform: 16, 32, 64, 128");
  command.add_option("--hadamard-signs", o.signs, "Signs before the transform: none, \"random(seed)\"");
  command.add_option("--pad", o.pad, "An inner dimension of any length: error, or zero to extend it by +0");
  command.add_option("--layout", o.layout, "Order of the scale bytes: linear, gfx950_shuffle");
}

result<policy> make_policy(const policy_options& o) {
  result<policy> p = preset_policy(o.preset);
  if (!p.ok()) return p;
  p = parse_policy(o.fields, p.value());
  const std::vector<std::pair<const char*, const std::string*>> short_forms = {
      {"scale_rule=", &o.rule},           {"min_scale_byte=", &o.min_byte}, {"nonfinite=", &o.nonfinite},
      {"element_rounding=", &o.rounding}, {"hadamard_size=", &o.size},      {"hadamard_signs=", &o.signs},
      {"pad=", &o.pad},                   {"scale_layout=", &o.layout}};
  for (const auto& [key, value] : short_forms) {
    if (!p.ok()) return p;
    if (!is_one_value(*value))
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

CLI::Validator whole_number(uint64_t most) {
  const auto check = [most](std::string& text) -> std::string {
    uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stop == end && value <= most) return {};
    return fmt::format("'{}': expected a whole number from 0 to {}", text, most);
  };
  return CLI::Validator(check, "");
}

result<conformance::caller> open_caller(const std::string& name_or_path) {
  const auto table = conformance::open_backend(name_or_path);
  if (!table.ok()) return table.why();
  return conformance::caller(table.value());
}

}  // namespace adahop::cli
