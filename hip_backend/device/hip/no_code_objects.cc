// A build without a compiler for gfx950 has no machine code for HIP.
#include "device/hip/code_objects.h"

namespace adahop::hip {

std::span<const code_object> gfx950_code_objects() { return {}; }
std::span<const code_object> gfx950_code_objects_O2() { return {}; }

}  // namespace adahop::hip
