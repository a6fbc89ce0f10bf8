// `adahop spec`: the clauses of SPEC.md, embedded when the program is built.
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_spec(CLI::App& app);
}
