// Decoding of MXFP4 matrices. Implements SPEC 2.5, 2.6, 3.5-3.7, 5.10.
#include "reference/dequantize.h"

#include "reference/output.h"
#include "reference/parallel.h"
#include "reference/scale_storage.h"

namespace adahop::reference {

void dequantize(const policy& p, const adahop_mx& x, const adahop_view& out) {
  if (out.cols == 0) return;  // rows are nowhere: their pointer may be null and their stride any number
  for_each_index(x.outer, x.inner, [&](int64_t r) {
    const uint8_t* codes = x.codes + r * x.codes_stride;
    for (int64_t c = 0; c < out.cols; ++c) {
      const e2m1 code = unpack_e2m1(codes[c / 2], static_cast<uint32_t>(c % 2));
      store(out, r, c, decode_element(code, e8m0_of(scale_at(x, p.scale_layout, r, c / kBlockSize))));
    }
  });
}

}  // namespace adahop::reference
