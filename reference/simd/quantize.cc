// Quantization by kernels. Implements SPEC 3.7, 3.8, 5.1-5.21.
#include "reference/simd/quantize.h"

#include "reference/quantize.h"
#include "reference/simd/encoder.h"
#include "reference/simd/one_row.h"
#include "reference/simd/pieces.h"

namespace adahop::reference::simd {
namespace {

template <class T>
adahop_quantize_result quantize_as(const kernel_table& k, const policy& p, const adahop_view& x, const adahop_mx& out) {
  const encoder to(k, p, out, x.cols);
  report_sum sum;
  for_each_piece<T, task_report>(
      k, x, out.inner,
      [&](task_report& found, const piece& at, const T* values) { to.write(found, at.row, at.column, values, at.count); },
      [&](const task_report& found) { sum.add(found); });
  return sum.total();
}

}  // namespace

adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out) {
  const kernel_table* const k = kernels();
  if (k == nullptr) return reference::quantize(p, x, out);
  // Indices of elements and of random words count through the rows of an unpadded matrix (SPEC 3.8).
  if (p.scale_layout == ADAHOP_LAYOUT_LINEAR && joins(x, out)) return quantize(p, joined(x), joined(out));
  return x.dtype == ADAHOP_BF16 ? quantize_as<uint16_t>(*k, p, x, out) : quantize_as<float>(*k, p, x, out);
}

}  // namespace adahop::reference::simd
