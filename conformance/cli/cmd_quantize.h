// `adahop quantize`: a tensor file to a quantized file (SPEC 12.1).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_quantize(CLI::App& app);
}
