// `adahop calibrate`: outlier patterns of layers over steps, into a plan file (SPEC 12.8, 12.9).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_calibrate(CLI::App& app);
}
