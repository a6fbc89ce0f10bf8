// The MX product: the model, and which operand's rows are the output's. Implements SPEC 10.1-10.8, 10.10.
#include "reference/simd/mx_gemm.h"

#include "reference/mx_gemm.h"
#include "reference/simd/mx_product.h"
#include "reference/simd/scatter_add.h"

namespace adahop::reference::simd {

void mx_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const adahop_view& out) {
  const kernel_table* const k = kernels();
  const bool empty = out.rows == 0 || out.cols == 0;
  if (k == nullptr || empty || p.gemm_model != ADAHOP_GEMM_BLOCK_RNE) return reference::mx_gemm(p, a, b, out);
  // An output whose columns lie together is the transpose of one whose rows do: S and the sum of the bytes are
  // symmetric.
  if (out.col_stride != 1 && out.row_stride == 1) return mx_gemm(p, b, a, transposed(out));
  mx_product product(*k, a, b, out);
  gemm_loops(product).run(0, out.cols);
}

void mixed_gemm(const policy& p, const adahop_mx& a, const adahop_mx& b, const outlier_product& outliers,
                const adahop_view& out) {
  const kernel_table* const k = kernels();
  const bool empty = out.rows == 0 || out.cols == 0;
  if (k == nullptr || empty || p.gemm_model != ADAHOP_GEMM_BLOCK_RNE) {
    matrix<float> mx_part(out.rows, out.cols);
    mx_gemm(p, a, b, view_of(mx_part));
    return scatter_add(view_of(mx_part), view_of(*outliers.values), outliers.indices, outliers.side, out);
  }
  mx_product product(*k, a, b, out);
  product.add_outliers(outliers);
  gemm_loops(product).run(0, out.cols);
}

}  // namespace adahop::reference::simd
