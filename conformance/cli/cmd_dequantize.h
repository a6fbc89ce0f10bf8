// `adahop dequantize`: a quantized file back to a tensor file (SPEC 12.2).
#pragma once
#include "conformance/cli/command.h"

namespace adahop::cli {
void add_dequantize(CLI::App& app);
}
