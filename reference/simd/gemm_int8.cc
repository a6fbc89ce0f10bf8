// The int8 baseline.
#include "reference/simd/gemm_int8.h"

#include "reference/simd/mx_product.h"

namespace adahop::reference::simd {
namespace {

// A `Product` of gemm_loops; a unit of depth is a block.
class int8_product {
 public:
  using value = int32_t;
  static constexpr int64_t kRows = mx_product::kRows, kColumns = mx_product::kColumns;
  static constexpr int64_t kRowsUnit = mx_product::kRowsUnit, kColumnsUnit = mx_product::kColumnsUnit;
  static constexpr int64_t kChunk = mx_product::kChunk, kWorkPerUnit = mx_product::kWorkPerUnit;

  int8_product(const kernel_table& k, const adahop_mx& a, const adahop_mx& b, matrix<int32_t>& out)
      : kernels_(k),
        a_(a),
        b_(b),
        out_(out),
        // For the place of its elements alone: they are as wide as FP32.
        view_{out.data.data(), ADAHOP_F32, 0, out.rows, out.cols, out.cols, 1} {}

  int64_t rows() const { return out_.rows; }
  int64_t columns() const { return out_.cols; }
  int64_t depth() const { return a_.inner / kBlockSize; }
  void pack_rows(int64_t row, const depth_range& depth, uint8_t* to) const {
    uint32_t nan[kRows];
    kernels_.gemm_pack_mx_rows(lines_of(a_, row, kRows, depth), to, nan);
  }
  void pack_columns(int64_t column, const depth_range& depth, uint8_t* to) const {
    uint32_t nan[kColumns];
    kernels_.gemm_pack_mx_columns(lines_of(b_, column, kColumns, depth), to, nan);
  }
  void multiply(const tile_place&, const uint8_t* a, const uint8_t* b, int64_t blocks, int32_t* tile) const {
    kernels_.gemm_int8_tile(a, b, blocks, tile);
  }
  void expect(const tile_place& place) const { expect_tile(view_, place); }
  void finish(const tile_place& place, const int32_t* tile) const {
    for (int64_t r = 0; r < place.rows; ++r)
      std::copy_n(tile + r * kColumns, place.columns, &out_.at(place.row + r, place.column));
  }

 private:
  const kernel_table& kernels_;
  adahop_mx a_, b_;
  matrix<int32_t>& out_;
  adahop_view view_;
};

}  // namespace

void int8_gemm(const kernel_table& k, const adahop_mx& a, const adahop_mx& b, matrix<int32_t>& out) {
  int8_product product(k, a, b, out);
  gemm_loops(product).run(0, out.cols);
}

}  // namespace adahop::reference::simd
