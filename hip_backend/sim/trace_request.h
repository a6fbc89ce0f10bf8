// Which wave is traced, from the text of option trace.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "adahop/status.h"

namespace adahop::hip::sim {

struct trace_request {
  std::string kernel;
  uint32_t x = 0, y = 0, z = 0;  ///< workgroup
  uint32_t wave = 0;             ///< in the workgroup
  std::vector<unsigned> lanes;   ///< whose values are shown, ascending
};

/// "KERNEL:WAVE" or "KERNEL:WAVE:LANES". WAVE is the workgroup's place in the grid and the wave's number in it, "0.2",
/// "3,0.2" or "3,0,1.2"; LANES are numbers and ranges, "0-3,32", by default 0-3. ADAHOP_INVALID_ARGUMENT says what was
/// expected.
result<trace_request> parse_trace_request(std::string_view text);

}  // namespace adahop::hip::sim
