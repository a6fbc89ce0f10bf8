// The MX product under block_rne over the panels and register tiles of one instruction set. Implements SPEC 10.1-10.6.
#pragma once
#include <optional>

#include "reference/simd/gemm_loops.h"
#include "reference/simd/gemm_output.h"

namespace adahop::reference::simd {

/// What the panels of one operand have shown: the range of the scale bytes of the current chunk, NaN bytes of all
/// chunks.
template <int64_t kLines>
class panel_scales {
 public:
  explicit panel_scales(int64_t lines)
      : range_(static_cast<size_t>(ceil_div(lines, kLines)), scale_range{127, 127}),
        nan_(range_.size() * static_cast<size_t>(kLines)) {}

  /// pack(nan) gives the range of the panel that begins at `line` and the NaN words of its lines.
  template <class Pack>
  void update(int64_t line, const Pack& pack) {
    uint32_t found[kLines];
    range_[static_cast<size_t>(line / kLines)] = pack(found);
    for (int64_t i = 0; i < kLines; ++i) nan_[static_cast<size_t>(line + i)] |= found[i];
  }
  const scale_range& range(int64_t line) const { return range_[static_cast<size_t>(line / kLines)]; }
  const uint32_t* nan(int64_t line) const { return nan_.data() + line; }

 private:
  std::vector<scale_range> range_;
  std::vector<uint32_t> nan_;
};

/// A `Product` of gemm_loops; a unit of depth is a block.
class mx_product {
 public:
  using value = float;
  static constexpr int64_t kRows = kMxTileRows, kColumns = kMxTileColumns;
  static constexpr int64_t kRowsUnit = kMxRowsBlockBytes, kColumnsUnit = kMxColumnsBlockBytes;
  static constexpr int64_t kChunk = 32, kWorkPerUnit = kBlockSize;

  /// a [M x K] and b, which holds rows first_column .. of the right operand [N x K], to out [M x N].
  mx_product(const kernel_table& k, const adahop_mx& a, const adahop_mx& b, const adahop_view& out);

  void add_outliers(const outlier_product& outliers);
  /// Later columns are packed from b, whose first row is column `first` of C.
  void set_columns(const adahop_mx& b, int64_t first) {
    b_ = b;
    first_column_ = first;
  }

  int64_t rows() const { return out_.rows; }
  int64_t columns() const { return out_.cols; }
  int64_t depth() const { return a_.inner / kBlockSize; }
  void pack_rows(int64_t row, const depth_range& depth, uint8_t* to);
  void pack_columns(int64_t column, const depth_range& depth, uint8_t* to);
  void multiply(const tile_place& place, const uint8_t* a, const uint8_t* b, int64_t blocks, float* tile) const;
  void expect(const tile_place& place) const;
  void finish(const tile_place& place, float* tile) const;

 private:
  const kernel_table& kernels_;
  adahop_mx a_, b_;
  int64_t first_column_ = 0;
  adahop_view out_;
  panel_scales<kMxTileRows> row_scales_;
  panel_scales<kMxTileColumns> column_scales_;
  std::optional<outlier_addition> outliers_;
};

/// Lines [line, line + at most `limit`) of m, blocks of `depth`.
mx_lines lines_of(const adahop_mx& m, int64_t line, int64_t limit, const depth_range& depth);

}  // namespace adahop::reference::simd
