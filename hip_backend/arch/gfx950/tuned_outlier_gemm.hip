// A product with extracted outliers in one launch: the MXFP4 product of the residual on matrix cores, the BF16 product of
// the outliers on the FP32 pipe, their sum at the chosen rows or columns, the output rounding. Neighbouring thread blocks
// begin with different halves, so that those which share a compute unit keep both pipes busy. Implements SPEC 10.7-10.10,
// 11.2, 11.3, in native mode 10.24.
#include "arch/gfx950/exact_tile.h"
#include "arch/gfx950/native_tile.h"
#include "arch/gfx950/outlier_product.h"
#include "arch/gfx950/tuned_kernel.h"

namespace adahop::hip {

/// Adds the outlier part to four neighbouring columns of a row of the product.
struct add_outliers {
  const outlier_gemm_args& args;

  ADAHOP_DEVICE_FN result_quad operator()(int64_t row, int64_t column, result_quad v) const {
    const int64_t stride = args.by_rows != 0 ? args.product.n : args.product.m;
    ADAHOP_UNROLL
    for (int c = 0; c < 4; ++c) {
      if (column + c < args.product.n) {
        const int64_t line = args.by_rows != 0 ? row : column + c;
        const int64_t other = args.by_rows != 0 ? column + c : row;
        const int64_t place = args.positions[line];
        if (place != 0) v[c] += args.part[(place - 1) * stride + other];
      }
    }
    return v;
  }
};

/// The outlier part of the tile at rows m0 of A and n0 of B.
ADAHOP_DEVICE_FN void run_outliers(int64_t m0, int64_t n0, mx_stage& stage_0, mx_stage& stage_1, line_list& list) {
  const auto args = load_arguments<outlier_gemm_args>();
  const bool by_rows = args.by_rows != 0;
  const outlier_operands operands = by_rows ? outlier_operands{args.a, args.b, m0, n0, args.product.n, args.k}
                                            : outlier_operands{args.b, args.a, n0, m0, args.product.m, args.k};
  find_lines(args.positions, operands.chosen_first, by_rows ? args.product.m : args.product.n, list);
  const auto results_of = [=]() ADAHOP_STATIC_LAMBDA {
    const auto at = load_arguments<outlier_gemm_args>();
    return at.by_rows != 0
               ? outlier_results{at.positions + m0, at.part + n0, at.product.n, at.product.n - n0}
               : outlier_results{at.positions + n0, at.part + m0, at.product.m, at.product.m - m0};
  };
  multiply_outliers(operands, list, results_of, stage_0, stage_1);
}

template <class Tile>
ADAHOP_DEVICE_FN void run_outlier_product() {
  static __attribute__((shared)) mx_stage stage_0, stage_1;
  static __attribute__((shared)) uint32_t votes[kStageWaves];
  static __attribute__((shared)) line_list list;
  const int64_t m0 = int64_t{block_x()} * kStageRows;
  const int64_t n0 = int64_t{block_y()} * kStageRows;
  run_outliers(m0, n0, stage_0, stage_1, list);
  finish_stage();
  Tile tile;
  tile.run(load_arguments<outlier_gemm_args>().product, m0, n0, stage_0, stage_1, votes);
  const auto args = load_arguments<outlier_gemm_args>();
  store_tile(args.product, m0, n0, tile, stage_0, stage_1, add_outliers{args});
}

ADAHOP_TUNED_KERNEL(tuned_outlier_gemm, outlier_gemm_args) { run_outlier_product<exact_tile<false>>(); }
ADAHOP_TUNED_KERNEL(tuned_outlier_gemm_native, outlier_gemm_args) { run_outlier_product<native_tile>(); }

}  // namespace adahop::hip
