// `adahop sim-speed`.
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_sim_speed(CLI::App& app);
}
