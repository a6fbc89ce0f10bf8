// The MXFP4 product as fast as we know how: 128 x 128 outputs a thread block of four waves; operands come through two
// stages in shared memory, one being filled while the other is multiplied; scales must lie as in SPEC 3.5. Implements SPEC
// 10.1-10.8, in native mode 10.24.
#include "arch/gfx950/exact_tile.h"
#include "arch/gfx950/native_tile.h"
#include "arch/gfx950/tuned_kernel.h"

namespace adahop::hip {

ADAHOP_TUNED_KERNEL(tuned_mx_gemm, mx_gemm_args) { run_tuned_product<exact_tile<true>>(args); }
ADAHOP_TUNED_KERNEL(tuned_mx_gemm_native, mx_gemm_args) { run_tuned_product<native_tile>(args); }

}  // namespace adahop::hip
