// The entry points of a backend that take no argument struct, called with whatever a fuzzer's bytes say.
#pragma once
#include <string>

#include "adahop/backend.h"
#include "fuzz/input.h"

namespace adahop::fuzz {

/// A backend under test: its table, and what its entry gives for a version.
struct subject {
  const adahop_backend* table = nullptr;
  const adahop_backend* (*entry)(uint32_t abi_version) = nullptr;
};

/// What is wrong with a status that the table returned: none of the documented ones, ADAHOP_INTERNAL, or a failure
/// without one line of last_error(); empty when nothing is.
std::string wrong_status(const adahop_backend& table, int32_t code);

/// Each makes one call and says in words what it broke; empty when nothing. An option that was set is back at its default.
std::string try_option(input& in, const adahop_backend& table);
std::string try_device_function(input& in, const adahop_backend& table);
std::string try_workspace_size(input& in, const adahop_backend& table);
std::string try_entry(input& in, const subject& s);

}  // namespace adahop::fuzz
