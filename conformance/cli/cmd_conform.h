// `adahop conform`: holds a backend to the reference over all nine pairs (SPEC 1.1, 13.1).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_conform(CLI::App& app);
}
