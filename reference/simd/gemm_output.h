// Where register tiles of a product go: any strides, FP32 or BF16, the outlier product added on the way. Implements
// SPEC 1.4, 10.8, 10.10.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "adahop/tensor.h"
#include "reference/simd/gemm_loops.h"
#include "reference/simd/isa.h"

namespace adahop::reference::simd {

/// The product of outliers that is added at `indices`, ascending, of C's rows (left) or columns (right): F32, [count x
/// N] or [M x count].
struct outlier_product {
  adahop_side side;
  std::span<const int32_t> indices;
  const matrix<float>* values;
};

/// Adds to the rows and columns of a register tile [.. x tile_columns] that `outliers` names: one FP32 addition each.
/// The caller holds the default floating-point environment.
class outlier_addition {
 public:
  /// `lines` is the extent of C on the outliers' side, `tile_lines` that of a register tile, at a multiple of which
  /// tiles begin.
  outlier_addition(const outlier_product& outliers, int64_t lines, int64_t tile_lines);
  void apply(const tile_place& place, float* tile, int64_t tile_columns) const;
  /// Asks for the memory that apply() will read.
  void expect(const tile_place& place) const;

 private:
  outlier_product outliers_;
  int64_t tile_lines_;
  std::vector<int32_t> first_;  ///< of each tile and one past the last: how many indices stand before it
};

/// Asks for the memory of a register tile, which comes while the tile is computed.
void expect_tile(const adahop_view& out, const tile_place& place);

/// Stores a register tile: elements of lines whose word in row_nan or col_nan is not 0, and every NaN, as the canonical
/// NaN.
void store_tile(const kernel_table& k, const adahop_view& out, const tile_place& place, const float* tile,
                int64_t tile_columns, const uint32_t* row_nan, const uint32_t* col_nan);

}  // namespace adahop::reference::simd
