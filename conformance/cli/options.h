// Options that several commands share: the policy, the backend, the output form.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "adahop/policy.h"
#include "conformance/backends/registry.h"
#include "conformance/cli/command.h"

namespace adahop::cli {

struct policy_options {
  std::string preset = "default";
  std::string fields;     ///< "key=value,..." over the preset
  std::string rule;       ///< short form of scale_rule
  std::string min_byte;   ///< short form of min_scale_byte
  std::string nonfinite;  ///< short form of nonfinite
  std::string rounding;   ///< short form of element_rounding
  std::string size;       ///< short form of hadamard_size
  std::string signs;      ///< short form of hadamard_signs
  std::string pad;        ///< short form of pad
  std::string layout;     ///< short form of scale_layout
};

/// --preset, --policy and the short forms.
void add_policy_options(CLI::App& command, policy_options& o);

/// The preset, then --policy, then the short forms. Errors name the key and what was expected.
result<policy> make_policy(const policy_options& o);

/// "simd" where it has instructions that the scalar oracle does not use, or where ADAHOP_ISA asks for what is not there,
/// which opening it then refuses; else "reference".
std::string default_backend();
/// A backend as tables name it: "simd (avx512)", "reference".
std::string backend_text(const std::string& name_or_path);
/// The same in JSON: "backend", and for simd "isa".
void add_backend(nlohmann::ordered_json& out, const std::string& name_or_path);

/// --backend NAME|PATH.so; `name` holds the default.
void add_backend_option(CLI::App& command, std::string& name);
void add_json_option(CLI::App& command, bool& json);

/// Digits alone, 0 to `most`: CLI11 itself takes -1 for 2^64 - 1 and stops at the largest number.
CLI::Validator whole_number(uint64_t most);

/// Calls on host memory, bitexact mode.
result<conformance::caller> open_caller(const std::string& name_or_path);

}  // namespace adahop::cli
