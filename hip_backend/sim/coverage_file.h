// Coverage in files: JSON, which holds everything and can be added to, or the report for people.
#pragma once
#include <string>
#include <string_view>

#include "sim/coverage.h"

namespace adahop::hip::sim {

/// The JSON form, "adahop-sim-coverage/1".
std::string coverage_json(const coverage& c);

/// ADAHOP_BAD_FILE where the text, which is untrusted, is not that; `name` begins the message.
result<coverage> parse_coverage(std::string_view name, std::string_view text);

/// ADAHOP_IO or ADAHOP_BAD_FILE, one line that names the file.
result<coverage> read_coverage(const std::string& path);

/// Writes the file, complete or not at all. A name that ends in .json: JSON, to which what the file holds already is
/// added first; ADAHOP_INVALID_ARGUMENT where that is of another build. Else the report, over what was there.
status write_coverage(const std::string& path, coverage c);

}  // namespace adahop::hip::sim
