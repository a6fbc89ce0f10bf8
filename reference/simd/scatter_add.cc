// Scatter-add row by row: the chosen lines are looked up once, not for each element. Implements SPEC 10.10.
#include "reference/simd/scatter_add.h"

#include <algorithm>

#include "reference/output.h"
#include "reference/parallel.h"
#include "reference/scatter_add.h"
#include "reference/simd/isa.h"

namespace adahop::reference::simd {
namespace {

// The outlier's line that belongs to row m of C, -1 if none.
int64_t line_of(std::span<const int32_t> indices, int64_t m) {
  const auto found = std::lower_bound(indices.begin(), indices.end(), m);
  return found != indices.end() && *found == m ? found - indices.begin() : -1;
}

}  // namespace

void scatter_add(const adahop_view& c, const adahop_view& outlier, std::span<const int32_t> indices, adahop_side side,
                 const adahop_view& out) {
  if (kernels() == nullptr || out.cols == 0) return reference::scatter_add(c, outlier, indices, side, out);
  for_each_index(out.rows, out.cols, [&](int64_t m) {
    const int64_t line = side == ADAHOP_SIDE_LEFT ? line_of(indices, m) : -1;
    if (line >= 0) {
      for (int64_t n = 0; n < out.cols; ++n) store(out, m, n, load(c, m, n) + load(outlier, line, n));
      return;
    }
    // Column by column between the chosen ones; out may be c, so an element is read once, right before it is written.
    int64_t n = 0;
    for (size_t i = 0; side == ADAHOP_SIDE_RIGHT && i < indices.size(); ++i) {
      for (; n < indices[i]; ++n) store(out, m, n, load(c, m, n));
      store(out, m, n, load(c, m, n) + load(outlier, m, static_cast<int64_t>(i)));
      ++n;
    }
    for (; n < out.cols; ++n) store(out, m, n, load(c, m, n));
  });
}

}  // namespace adahop::reference::simd
