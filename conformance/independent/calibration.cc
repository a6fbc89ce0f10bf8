// Counting votes and bytes. Implements SPEC 11.11, 12.9.
#include "calibration.h"

#include <algorithm>

namespace independent {

pattern majority(const std::vector<pattern>& steps) {
  const auto votes = [&steps](pattern p) { return std::count(steps.begin(), steps.end(), p); };
  pattern best = steps.front();
  for (const pattern p : steps)
    if (votes(p) > votes(best)) best = p;
  return best;
}

long saved_bytes(long rows, long cols, const saved_parts& parts) {
  constexpr long kBlockBytes = 16 + 1, kBf16Bytes = 2, kIndexBytes = 4;
  long bytes = rows * (parts.quantized_cols / 32) * kBlockBytes;
  bytes += parts.outlier_rows * (cols * kBf16Bytes + kIndexBytes);
  if (parts.whole_bf16) bytes += rows * cols * kBf16Bytes;
  return bytes;
}

}  // namespace independent
