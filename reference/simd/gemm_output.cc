// The end of a register tile. Implements SPEC 1.4, 10.8, 10.10.
#include "reference/simd/gemm_output.h"

#include "reference/output.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kLine = 64;  // of the caches

}  // namespace

outlier_addition::outlier_addition(const outlier_product& outliers, int64_t lines, int64_t tile_lines)
    : outliers_(outliers), tile_lines_(tile_lines), first_(static_cast<size_t>(ceil_div(lines, tile_lines)) + 1) {
  int32_t before = 0;
  for (size_t tile = 0; tile < first_.size(); ++tile) {
    const auto begin = static_cast<int64_t>(tile) * tile_lines;
    const auto is_before = [&](int32_t i) {
      return static_cast<size_t>(i) < outliers.indices.size() && outliers.indices[static_cast<size_t>(i)] < begin;
    };
    while (is_before(before)) ++before;
    first_[tile] = before;
  }
}

void outlier_addition::apply(const tile_place& place, float* tile, int64_t tile_columns) const {
  const bool left = outliers_.side == ADAHOP_SIDE_LEFT;
  const auto of_tile = static_cast<size_t>((left ? place.row : place.column) / tile_lines_);
  for (int32_t i = first_[of_tile]; i < first_[of_tile + 1]; ++i) {
    const int64_t line = outliers_.indices[static_cast<size_t>(i)];
    if (left) {
      const float* const values = &outliers_.values->at(i, place.column);
      float* const row = tile + (line - place.row) * tile_columns;
      for (int64_t c = 0; c < place.columns; ++c) row[c] += values[c];
    } else {
      for (int64_t r = 0; r < place.rows; ++r)
        tile[r * tile_columns + line - place.column] += outliers_.values->at(place.row + r, i);
    }
  }
}

void outlier_addition::expect(const tile_place& place) const {
  const bool left = outliers_.side == ADAHOP_SIDE_LEFT;
  const auto of_tile = static_cast<size_t>((left ? place.row : place.column) / tile_lines_);
  for (int32_t i = first_[of_tile]; i < first_[of_tile + 1]; ++i) {
    if (left)
      for (int64_t c = 0; c < place.columns; c += kLine / 4)
        __builtin_prefetch(&outliers_.values->at(i, place.column + c));
    else
      for (int64_t r = 0; r < place.rows; ++r) __builtin_prefetch(&outliers_.values->at(place.row + r, i));
  }
}

void expect_tile(const adahop_view& out, const tile_place& place) {
  if (out.col_stride != 1) return;
  const int64_t bytes = place.columns * dtype_size(out.dtype);
  for (int64_t r = 0; r < place.rows; ++r) {
    const char* const row =
        static_cast<const char*>(out.data) + ((place.row + r) * out.row_stride + place.column) * dtype_size(out.dtype);
    for (int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(row + at, 1);
  }
}

void store_tile(const kernel_table& k, const adahop_view& out, const tile_place& place, const float* tile,
                int64_t tile_columns, const uint32_t* row_nan, const uint32_t* col_nan) {
  if (out.col_stride != 1) {
    for (int64_t r = 0; r < place.rows; ++r)
      for (int64_t c = 0; c < place.columns; ++c)
        store(out, place.row + r, place.column + c,
              float_of(bits_of(tile[r * tile_columns + c]) | row_nan[r] | col_nan[c]));
    return;
  }
  const int64_t at = place.row * out.row_stride + place.column;
  if (out.dtype == ADAHOP_BF16)
    k.gemm_store_bf16(tile, tile_columns, place.rows, place.columns, row_nan, col_nan,
                      static_cast<uint16_t*>(out.data) + at, out.row_stride);
  else
    k.gemm_store_f32(tile, tile_columns, place.rows, place.columns, row_nan, col_nan,
                     static_cast<float*>(out.data) + at, out.row_stride);
}

}  // namespace adahop::reference::simd
