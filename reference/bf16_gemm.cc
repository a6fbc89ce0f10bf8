// BF16 matrix product. Implements SPEC 10.7-10.9.
#include "reference/bf16_gemm.h"

#include "reference/accumulate/seq_fma.h"
#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {

void bf16_gemm(const adahop_view& a, const adahop_view& b, const adahop_view& out) {
  for_each_index(out.rows * out.cols, a.cols, [&](int64_t i) {
    const int64_t m = i / out.cols, n = i % out.cols;
    const bf16* a_row = static_cast<const bf16*>(a.data) + m * a.row_stride;
    const bf16* b_row = static_cast<const bf16*>(b.data) + n * b.row_stride;
    float acc = 0.0f;
    for (int64_t k = 0; k < a.cols; ++k) acc = accumulate_seq_fma(acc, a_row[k * a.col_stride], b_row[k * b.col_stride]);
    store(out, m, n, acc);
  });
}

}  // namespace adahop::reference
