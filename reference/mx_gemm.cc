// MXFP4 matrix product. Implements SPEC 10.1-10.8.
#include "reference/mx_gemm.h"

#include "reference/accumulate/block_rne.h"
#include "reference/block_dot.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {

float mx_dot(const adahop_mx& a, int64_t m, const adahop_mx& b, int64_t n) {
  const uint8_t* a_codes = a.codes + m * a.codes_stride;
  const uint8_t* b_codes = b.codes + n * b.codes_stride;
  const uint8_t* a_scales = a.scales + m * a.scales_stride;
  const uint8_t* b_scales = b.scales + n * b.scales_stride;
  float acc = 0.0f;
  for (int64_t block = 0; block < a.inner / kBlockSize; ++block) {
    const int32_t dot_x4 = block_dot_x4(a_codes + block * kBlockBytes, b_codes + block * kBlockBytes);
    acc = accumulate_block_rne(acc, dot_x4, e8m0_of(a_scales[block]), e8m0_of(b_scales[block]));
  }
  return acc;
}

void mx_gemm(const adahop_mx& a, const adahop_mx& b, const adahop_view& out) {
  for_each_index(out.rows * out.cols, a.inner, [&](int64_t i) {
    const int64_t m = i / out.cols, n = i % out.cols;
    store(out, m, n, mx_dot(a, m, b, n));
  });
}

}  // namespace adahop::reference
