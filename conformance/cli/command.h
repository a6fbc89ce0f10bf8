// How a command of the program ends. Every cmd_<name>.h declares add_<name>(CLI::App&), which registers a subcommand
// whose callback calls finish(): 0 all is well, 1 something differs, 2 usage or bad input after one line on stderr.
#pragma once
#include <CLI/CLI.hpp>

#include "adahop/status.h"

namespace adahop::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitDiffers = 1;
inline constexpr int kExitBadInput = 2;

/// Ends the program with this exit status. Call it from a subcommand's callback only; main() catches what it throws.
inline void finish(int exit_code) {
  if (exit_code != kExitOk) throw CLI::RuntimeError(exit_code);
}

/// Prints "adahop: message" as one line on stderr and gives kExitBadInput.
int fail(const status& why);

}  // namespace adahop::cli
