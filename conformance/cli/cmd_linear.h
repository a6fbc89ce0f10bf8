// `adahop linear`: the three products of a layer by a plan and a method, and what is saved between them (SPEC 11.8).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_linear(CLI::App& app);
}
