// `adahop certify`: which outputs of a product of two quantized files any hardware must give bit for bit, how far the
// others may be off, and whether a given result keeps to both (SPEC 10.20-10.24).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_certify(CLI::App& app);
}
