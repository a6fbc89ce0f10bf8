// The loop over the groups of a matrix that quantize and hadamard_quantize share, and the sum of their reports.
#pragma once
#include <vector>

#include "reference/extent.h"
#include "reference/parallel.h"
#include "reference/quantize.h"
#include "reference/scale_storage.h"

namespace adahop::reference {

/// Quantizes out.outer x out.inner values that load_group(row, first_column, float[group]) provides, `group` a multiple
/// of 32 that divides out.inner. `inner` is the dimension that indices count with (SPEC 3.8).
template <class LoadGroup>
adahop_quantize_result quantize_rows(const policy& p, const adahop_mx& out, int64_t inner, int64_t group,
                                     const LoadGroup& load_group) {
  struct row_report {
    int64_t clipped = 0, first_nonfinite = -1;
  };
  clear_scale_padding(out, p.scale_layout);
  if (out.inner == 0) return {0, -1};  // 2^31 - 1 rows of nothing need no reports
  std::vector<row_report> rows(static_cast<size_t>(out.outer));
  for_each_index(out.outer, out.inner, [&](int64_t r) {
    row_report& row = rows[static_cast<size_t>(r)];
    for (int64_t first = 0; first < out.inner; first += group) {
      float x[kMaxGroup];
      load_group(r, first, x);
      for (int64_t c = first; c < first + group; c += kBlockSize) {
        const block_report block =
            quantize_block(p, x + (c - first), {r, c, inner}, out.codes + r * out.codes_stride + c / 2,
                           &scale_at(out, p.scale_layout, r, c / kBlockSize));
        row.clipped += block.clipped;
        if (row.first_nonfinite < 0 && block.first_nonfinite >= 0)
          row.first_nonfinite = r * inner + c + block.first_nonfinite;
      }
    }
  });
  adahop_quantize_result total{0, -1};
  for (const row_report& row : rows) {
    total.clipped += row.clipped;
    if (total.first_nonfinite < 0) total.first_nonfinite = row.first_nonfinite;
  }
  return total;
}

}  // namespace adahop::reference
