// The MX product's panels and register tiles. Implements SPEC 10.1-10.6.
#include "reference/simd/mx_product.h"

namespace adahop::reference::simd {

mx_lines lines_of(const adahop_mx& m, int64_t line, int64_t limit, const depth_range& depth) {
  return {m.codes + line * m.codes_stride + depth.begin * kBlockBytes,
          m.codes_stride,
          m.scales + line * m.scales_stride + depth.begin,
          m.scales_stride,
          std::min(limit, m.outer - line),
          depth.size()};
}

mx_product::mx_product(const kernel_table& k, const adahop_mx& a, const adahop_mx& b, const adahop_view& out)
    : kernels_(k), a_(a), b_(b), out_(out), row_scales_(out.rows), column_scales_(out.cols) {}

void mx_product::add_outliers(const outlier_product& outliers) {
  const bool left = outliers.side == ADAHOP_SIDE_LEFT;
  outliers_.emplace(outliers, left ? out_.rows : out_.cols, left ? kRows : kColumns);
}

void mx_product::pack_rows(int64_t row, const depth_range& depth, uint8_t* to) {
  row_scales_.update(row, [&](uint32_t* nan) {
    return kernels_.gemm_pack_mx_rows(lines_of(a_, row, kRows, depth), to, nan);
  });
}

void mx_product::pack_columns(int64_t column, const depth_range& depth, uint8_t* to) {
  column_scales_.update(column, [&](uint32_t* nan) {
    return kernels_.gemm_pack_mx_columns(lines_of(b_, column - first_column_, kColumns, depth), to, nan);
  });
}

void mx_product::multiply(const tile_place& place, const uint8_t* a, const uint8_t* b, int64_t blocks,
                          float* tile) const {
  const scale_range& of_a = row_scales_.range(place.row);
  const scale_range& of_b = column_scales_.range(place.column);
  const bool plain = of_a.least + of_b.least >= 107 && of_a.greatest + of_b.greatest <= 360;
  (plain ? kernels_.gemm_mx_tile : kernels_.gemm_mx_tile_any)(a, b, blocks, tile);
}

void mx_product::expect(const tile_place& place) const {
  if (outliers_) outliers_->expect(place);
  expect_tile(out_, place);
}

void mx_product::finish(const tile_place& place, float* tile) const {
  if (outliers_) outliers_->apply(place, tile, kColumns);
  store_tile(kernels_, out_, place, tile, kColumns, row_scales_.nan(place.row), column_scales_.nan(place.column));
}

}  // namespace adahop::reference::simd
