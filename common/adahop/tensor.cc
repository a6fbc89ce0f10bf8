// Boundary checks of matrix arguments. Implements SPEC 3.4.
#include "adahop/tensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace adahop {
namespace {

// Row and column numbers travel as int32, through the ABI and in kernels.
constexpr int64_t kMaxDimension = INT32_MAX;
// Products of dimensions and strides stay far from overflow below this bound, which also bounds element counts.
constexpr int64_t kMaxExtent = int64_t{1} << 40;

bool stride_ok(int64_t dimension, int64_t stride) { return dimension <= 1 || (stride >= 1 && stride <= kMaxExtent); }

}  // namespace

status check_view(const adahop_view& v, const char* what) {
  if (v.dtype != ADAHOP_F32 && v.dtype != ADAHOP_BF16)
    return invalid_argument(fmt::format("{}: dtype {} is neither F32 (0) nor BF16 (1)", what, v.dtype));
  if (v.rows < 0 || v.cols < 0 || v.rows > kMaxDimension || v.cols > kMaxDimension)
    return invalid_argument(fmt::format("{}: shape {} x {}: dimensions are 0 to 2^31 - 1", what, v.rows, v.cols));
  if (v.rows == 0 || v.cols == 0) return {};
  if (__int128{v.rows} * v.cols > kMaxExtent)
    return invalid_argument(fmt::format("{}: shape {} x {} has more than 2^40 elements", what, v.rows, v.cols));
  if (v.data == nullptr) return invalid_argument(fmt::format("{}: data is null", what));
  if (!stride_ok(v.rows, v.row_stride) || !stride_ok(v.cols, v.col_stride))
    return invalid_argument(fmt::format("{}: strides {}, {} must be positive", what, v.row_stride, v.col_stride));
  const __int128 last = __int128{v.rows - 1} * v.row_stride + __int128{v.cols - 1} * v.col_stride;
  if (last > kMaxExtent) return invalid_argument(fmt::format("{}: strides reach beyond 2^40 elements", what));
  return {};
}

status check_mx(const adahop_mx& m, const char* what, int32_t scale_layout) {
  if (m.outer < 0 || m.inner < 0 || m.outer > kMaxDimension || m.inner > kMaxDimension)
    return invalid_argument(fmt::format("{}: shape {} x {}: dimensions are 0 to 2^31 - 1", what, m.outer, m.inner));
  if (m.inner % kBlockSize != 0)
    return invalid_argument(fmt::format("{}: inner dimension {} is not a multiple of {}", what, m.inner, kBlockSize));
  if (m.outer == 0 || m.inner == 0) return {};
  if (__int128{m.outer} * m.inner > kMaxExtent)
    return invalid_argument(fmt::format("{}: shape {} x {} has more than 2^40 elements", what, m.outer, m.inner));
  if (m.codes == nullptr || m.scales == nullptr) return invalid_argument(fmt::format("{}: codes or scales is null", what));
  // A shuffled layout is one array whose size follows from the shape.
  const int64_t scales_stride = scale_layout == ADAHOP_LAYOUT_LINEAR ? m.scales_stride : m.inner / kBlockSize;
  const bool rows_overlap = m.codes_stride < m.inner / 2 || scales_stride < m.inner / kBlockSize;
  if (m.outer > 1 && (rows_overlap || m.codes_stride > kMaxExtent || scales_stride > kMaxExtent))
    return invalid_argument(fmt::format("{}: strides {}, {} bytes are smaller than a row of {} elements", what,
                                        m.codes_stride, m.scales_stride, m.inner));
  if (m.outer > 1 && __int128{m.outer - 1} * std::max(m.codes_stride, scales_stride) > kMaxExtent)
    return invalid_argument(fmt::format("{}: strides reach beyond 2^40 bytes", what));
  return {};
}

}  // namespace adahop
