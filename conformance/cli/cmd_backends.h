// `adahop backends`: which backends there are and what they claim (SPEC 13.1).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_backends(CLI::App& app);
}
