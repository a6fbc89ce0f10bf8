// `adahop matmul`: one AdaHOP product of two tensor files (SPEC chapter 11).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_matmul(CLI::App& app);
}
