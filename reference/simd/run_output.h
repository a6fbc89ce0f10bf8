// Where a run of results goes: straight into the output view, or through a buffer where its elements do not lie together.
#pragma once
#include <algorithm>

#include "reference/extent.h"
#include "reference/simd/staging.h"

namespace adahop::reference::simd {

/// Whether an output is so large that it would push everything else out of the caches; then its stores go past them.
inline bool goes_past_caches(const adahop_view& out) {
  constexpr int64_t kLargeOutput = int64_t{8} << 20;  // bytes
  return out.rows * out.cols * dtype_size(out.dtype) >= kLargeOutput;
}

/// Calls make(done, n, to) for parts of `count` values of row `row` from `column` on: values [done, done + n), whole groups
/// of the largest transform or up to the end, are to be written to `to`. What lies beyond out.cols is dropped.
template <class T, class Make>
void write_run(const adahop_view& out, int64_t row, int64_t column, int64_t count, const Make& make) {
  T* const first = static_cast<T*>(out.data) + row * out.row_stride + column * out.col_stride;
  const int64_t present = std::clamp<int64_t>(out.cols - column, 0, count);
  int64_t done = 0;
  if (out.col_stride == 1) {
    done = present == count ? count : present / kMaxGroup * kMaxGroup;
    if (done > 0) make(0, done, first);
  }
  while (done < present) {
    constexpr int64_t kPart = 1024;
    alignas(64) T part[kPart];
    const int64_t n = std::min(kPart, count - done);
    make(done, n, part);
    for (int64_t i = 0; i < std::min(n, present - done); ++i) first[(done + i) * out.col_stride] = part[i];
    done += n;
  }
}

}  // namespace adahop::reference::simd
