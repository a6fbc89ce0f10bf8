// Decoding by kernels. Implements SPEC 2.5, 2.6, 3.5-3.7, 5.10.
#include "reference/simd/dequantize.h"

#include "reference/dequantize.h"
#include "reference/parallel.h"
#include "reference/scale_storage.h"
#include "reference/simd/one_row.h"
#include "reference/simd/run_output.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {
namespace {

// Of a task; more where stores go past the caches, since each run of them ends with a fence.
constexpr int64_t kTaskColumns = 1 << 14, kStreamedColumns = 1 << 17;

void decode(const kernel_table& k, const uint8_t* codes, const uint8_t* scales, int64_t blocks, float* out, bool stream) {
  k.dequantize_f32(codes, scales, blocks, out, stream);
}
void decode(const kernel_table& k, const uint8_t* codes, const uint8_t* scales, int64_t blocks, uint16_t* out, bool stream) {
  k.dequantize_bf16(codes, scales, blocks, out, stream);
}

template <class T>
void dequantize_as(const kernel_table& k, const adahop_mx& x, const adahop_view& out) {
  const bool stream = goes_past_caches(out);
  const int64_t columns = stream ? kStreamedColumns : kTaskColumns;
  const int64_t across = (x.inner + columns - 1) / columns;
  for_each_index(x.outer * across, std::min(x.inner, columns), [&](int64_t task) {
    const int64_t row = task / across, column = task % across * columns;
    const uint8_t* const codes = x.codes + row * x.codes_stride + column / 2;
    const uint8_t* const scales = x.scales + row * x.scales_stride + column / kBlockSize;
    const int64_t count = std::min(columns, x.inner - column);
    write_run<T>(out, row, column, count, [&](int64_t done, int64_t n, T* to) {
      decode(k, codes + done / 2, scales + done / kBlockSize, n / kBlockSize, to, stream);
    });
  });
}

// An output whose columns lie together: tiles of rows through a buffer.
template <class T>
void dequantize_transposed(const kernel_table& k, const adahop_mx& x, const adahop_view& out) {
  const int64_t across = (out.cols + kStagedColumns - 1) / kStagedColumns;
  for_each_index((x.outer + kStagedRows - 1) / kStagedRows * across, kStagedRows * kStagedColumns, [&](int64_t task) {
    const int64_t row = task / across * kStagedRows, column = task % across * kStagedColumns;
    const int64_t rows = std::min(kStagedRows, x.outer - row), blocks = std::min(kStagedColumns, x.inner - column) / kBlockSize;
    alignas(64) T tile[kStagedRows * kStagedColumns];
    for (int64_t r = 0; r < rows; ++r)
      decode(k, x.codes + (row + r) * x.codes_stride + column / 2, x.scales + (row + r) * x.scales_stride + column / kBlockSize,
             blocks, tile + r * kStagedColumns, false);
    transpose(k, tile, kStagedColumns, rows, std::min(kStagedColumns, out.cols - column),
              static_cast<T*>(out.data) + row + column * out.col_stride, out.col_stride);
  });
}

}  // namespace

void dequantize(const policy& p, const adahop_mx& x, const adahop_view& out) {
  const kernel_table* const k = kernels();
  if (k == nullptr) return reference::dequantize(p, x, out);
  if (out.cols == 0) return;  // rows are nowhere: their pointer may be null and their stride any number
  std::vector<uint8_t> storage;
  adahop_mx linear = with_linear_scales(x, p.scale_layout, storage);
  adahop_view to = out;
  if (joins(to, linear)) {
    to = joined(to);
    linear = joined(linear);
  }
  const bool by_columns = to.row_stride == 1 && to.col_stride != 1;
  const auto run = to.dtype == ADAHOP_BF16 ? (by_columns ? dequantize_transposed<uint16_t> : dequantize_as<uint16_t>)
                                           : (by_columns ? dequantize_transposed<float> : dequantize_as<float>);
  run(*k, linear, to);
}

}  // namespace adahop::reference::simd
