// A build without a compiler for gfx950 has no machine code for HIP.
#include "device/hip/code_objects.h"

namespace adahop::hip {

std::span<const code_object> gfx950_code_objects() { return {}; }

}  // namespace adahop::hip
