// `adahop inspect`: what is in a file, and what quantizing its tensors would do.
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_inspect(CLI::App& app);
}
