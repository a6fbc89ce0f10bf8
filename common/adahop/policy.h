// The policy record: every numeric choice that the formats leave open, carried by each call, file and report.
// Its one canonical text line, the SHA-256 of that line, and the named presets. Implements SPEC chapter 4.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "adahop/backend.h"
#include "adahop/status.h"

namespace adahop {

using policy = adahop_policy;

/// The record with every default of SPEC 4.2.
policy default_policy();

struct preset {
  std::string_view name;
  std::string_view line;  ///< key=value pairs over the defaults
  std::string_view about;
};
std::span<const preset> presets();

/// A preset by name; ADAHOP_INVALID_ARGUMENT naming the known ones.
result<policy> preset_policy(std::string_view name);

/// Applies "key=value,key=value" to `base`. Unknown keys and values are errors that name what was expected.
result<policy> parse_policy(std::string_view text, const policy& base);

/// The canonical line: every field, fixed order, "adahop-policy/1 " in front.
std::string canonical_line(const policy& p);

/// "key=value" of one field as the canonical line has it; empty for a key that it does not have.
std::string field_text(const policy& p, std::string_view key);

/// SHA-256 of the canonical line, 64 lower-case hexadecimal digits.
std::string policy_hash(const policy& p);

/// Ranges and combinations; what a backend supports is its own matter.
status validate(const policy& p);

}  // namespace adahop
