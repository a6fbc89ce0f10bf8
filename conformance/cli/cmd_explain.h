// `adahop explain`.
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_explain(CLI::App& app);
}  // namespace adahop::cli
