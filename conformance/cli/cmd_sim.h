// `adahop sim`: the code objects of gfx950-sim and what was executed of them.
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {

void add_sim(CLI::App& app);

}  // namespace adahop::cli
