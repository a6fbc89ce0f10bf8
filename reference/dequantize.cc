// Decoding of MXFP4 matrices. Implements SPEC 2.5, 2.6, 5.10.
#include "reference/dequantize.h"

#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {

void dequantize(const adahop_mx& x, const adahop_view& out) {
  for_each_index(x.outer, x.inner, [&](int64_t r) {
    const uint8_t* codes = x.codes + r * x.codes_stride;
    const uint8_t* scales = x.scales + r * x.scales_stride;
    for (int64_t c = 0; c < x.inner; ++c) {
      const e2m1 code = unpack_e2m1(codes[c / 2], static_cast<uint32_t>(c % 2));
      store(out, r, c, decode_element(code, e8m0_of(scales[c / kBlockSize])));
    }
  });
}

}  // namespace adahop::reference
