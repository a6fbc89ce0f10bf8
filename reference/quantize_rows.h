// The loop over the blocks of a matrix that quantize and hadamard_quantize share, and the sum of their reports.
#pragma once
#include <vector>

#include "reference/parallel.h"
#include "reference/quantize.h"

namespace adahop::reference {

/// Quantizes out.outer x out.inner values that load_block(row, first_column, float[32]) provides.
template <class LoadBlock>
adahop_quantize_result quantize_rows(const policy& p, const adahop_mx& out, const LoadBlock& load_block) {
  struct row_report {
    int64_t clipped = 0, first_nonfinite = -1;
  };
  std::vector<row_report> rows(static_cast<size_t>(out.outer));
  for_each_index(out.outer, out.inner, [&](int64_t r) {
    row_report& row = rows[static_cast<size_t>(r)];
    for (int64_t c = 0; c < out.inner; c += kBlockSize) {
      float x[kBlockSize];
      load_block(r, c, x);
      const block_report block = quantize_block(p, x, out.codes + r * out.codes_stride + c / 2,
                                                out.scales + r * out.scales_stride + c / kBlockSize);
      row.clipped += block.clipped;
      if (row.first_nonfinite < 0 && block.first_nonfinite >= 0)
        row.first_nonfinite = r * out.inner + c + block.first_nonfinite;
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
