// Scatter-add of the outlier product. Implements SPEC 10.10.
#include "reference/scatter_add.h"

#include <algorithm>

#include "reference/output.h"
#include "reference/parallel.h"

namespace adahop::reference {

void scatter_add(const adahop_view& c, const adahop_view& outlier, std::span<const int32_t> indices, adahop_side side,
                 const adahop_view& out) {
  if (out.cols == 0) return;  // 2^31 - 1 rows of nothing
  for_each_index(out.rows, out.cols, [&](int64_t m) {
    for (int64_t n = 0; n < out.cols; ++n) {
      const int64_t line = side == ADAHOP_SIDE_LEFT ? m : n;
      const auto found = std::lower_bound(indices.begin(), indices.end(), line);
      float v = load(c, m, n);
      if (found != indices.end() && *found == line) {
        const int64_t at = found - indices.begin();
        v += side == ADAHOP_SIDE_LEFT ? load(outlier, at, n) : load(outlier, m, at);
      }
      store(out, m, n, v);
    }
  });
}

}  // namespace adahop::reference
