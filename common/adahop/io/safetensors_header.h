// The JSON header of a safetensors file, read event by event so that depth, repeated keys and unexpected values are
// refused before anything is built from them. Implements SPEC 12.5.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "adahop/io/safetensors.h"

namespace adahop::io {

struct safetensors_header {
  metadata meta;
  std::vector<tensor_entry> tensors;  ///< in the header's order; offsets not yet checked against the file
};

/// Errors are ADAHOP_BAD_FILE "WHERE: field: expected ..., found ...".
result<safetensors_header> parse_safetensors_header(std::string_view json, const std::string& where);

}  // namespace adahop::io
