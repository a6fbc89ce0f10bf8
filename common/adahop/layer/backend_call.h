// One call through a backend's C ABI table from the layer code: host memory, bitexact mode, codes turned into status.
#pragma once
#include <fmt/format.h>

#include "adahop/backend.h"
#include "adahop/status.h"

namespace adahop::layer {

/// Calls `on.*function`. ADAHOP_UNSUPPORTED where the table has none; else the backend's code, with the message
/// "BACKEND: OPERATION: last_error()".
template <class Args>
status call(const adahop_backend& on, const char* operation,
            int32_t (*adahop_backend::*function)(const adahop_exec*, const Args*), const Args& args) {
  if (on.*function == nullptr)
    return unsupported(fmt::format("{}: {}: the backend has no such operation", on.name, operation));
  adahop_exec exec{};
  exec.struct_size = sizeof exec;
  exec.mode = ADAHOP_MODE_BITEXACT;
  exec.memory = ADAHOP_MEMORY_HOST;
  const int32_t code = (on.*function)(&exec, &args);
  if (code == ADAHOP_OK) return {};
  return {static_cast<adahop_status>(code), fmt::format("{}: {}: {}", on.name, operation, on.last_error())};
}

}  // namespace adahop::layer
