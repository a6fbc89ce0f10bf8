// Scores by kernels, extraction by row copies. Implements SPEC 9.1-9.4, 9.6.
#include "reference/simd/outliers.h"

#include <algorithm>

#include "reference/outliers.h"
#include "reference/parallel.h"
#include "reference/simd/pieces.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kWindow = 64;  // the widest

void score(const kernel_table& k, const float* x, int64_t stride, int64_t rows, int64_t present, int64_t window, float* out) {
  k.foid_scores_f32(x, stride, rows, present, window, out);
}
void score(const kernel_table& k, const uint16_t* x, int64_t stride, int64_t rows, int64_t present, int64_t window,
           float* out) {
  k.foid_scores_bf16(x, stride, rows, present, window, out);
}

template <class T>
std::vector<float> scores_as(const kernel_table& k, const policy& p, const adahop_view& x) {
  const int64_t window = std::min<int64_t>(p.foid_window, extended_inner(p, x.cols));
  const int64_t present = std::min(window, x.cols);
  std::vector<float> result(static_cast<size_t>(x.rows));
  for_each_index((x.rows + kStagedRows - 1) / kStagedRows, kStagedRows * window, [&](int64_t task) {
    const int64_t r = task * kStagedRows, n = std::min(kStagedRows, x.rows - r);
    float* const out = result.data() + r;
    if (x.col_stride == 1) return score(k, row_of<T>(x, r), x.row_stride, n, present, window, out);
    alignas(64) T tile[kStagedRows * kWindow];
    stage(k, x, r, n, 0, window, tile);
    score(k, tile, window, n, window, window, out);
  });
  return result;
}

}  // namespace

std::vector<float> scores(const policy& p, const adahop_view& x) {
  const kernel_table* const k = kernels();
  if (k == nullptr) return reference::scores(p, x);
  return x.dtype == ADAHOP_BF16 ? scores_as<uint16_t>(*k, p, x) : scores_as<float>(*k, p, x);
}

void extract(const adahop_view& x, std::span<const int32_t> indices, const adahop_view& out) {
  if (x.cols == 0 || x.col_stride != 1 || out.col_stride != 1) return reference::extract(x, indices, out);
  for_each_index(static_cast<int64_t>(indices.size()), x.cols, [&](int64_t i) {
    std::copy_n(row_of<uint16_t>(x, indices[static_cast<size_t>(i)]), x.cols,
                static_cast<uint16_t*>(out.data) + i * out.row_stride);
  });
}

}  // namespace adahop::reference::simd
