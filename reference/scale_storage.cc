// Scale layouts. Implements SPEC 3.1, 3.5, 3.6.
#include "reference/scale_storage.h"

#include <algorithm>

#include "adahop/formats/scale_layout.h"

namespace adahop::reference {

uint8_t& scale_at(const adahop_mx& m, int32_t layout, int64_t outer, int64_t block) {
  if (layout == ADAHOP_LAYOUT_GFX950_SHUFFLE) return m.scales[shuffled_scale_offset(outer, block, m.inner / kBlockSize)];
  return m.scales[outer * m.scales_stride + block];
}

void clear_scale_padding(const adahop_mx& m, int32_t layout) {
  if (layout != ADAHOP_LAYOUT_GFX950_SHUFFLE) return;
  const int64_t blocks = m.inner / kBlockSize;
  adahop_mx padded = m;
  padded.inner = round_up(blocks, kShuffleBlocks) * kBlockSize;  // the same array, seen as if it had no padding
  for (int64_t r = 0; r < round_up(m.outer, kShuffleRows); ++r)
    for (int64_t b = r < m.outer ? blocks : 0; b < padded.inner / kBlockSize; ++b) scale_at(padded, layout, r, b) = 0;
}

adahop_mx with_linear_scales(const adahop_mx& m, int32_t layout, std::vector<uint8_t>& storage) {
  if (layout != ADAHOP_LAYOUT_GFX950_SHUFFLE) return m;
  const int64_t blocks = m.inner / kBlockSize;
  storage.resize(static_cast<size_t>(m.outer * blocks));
  adahop_mx linear = m;
  linear.scales = storage.data();
  linear.scales_stride = blocks;
  for (int64_t r = 0; r < m.outer; ++r)
    for (int64_t b = 0; b < blocks; ++b) linear.scales[r * blocks + b] = scale_at(m, layout, r, b);
  return linear;
}

}  // namespace adahop::reference
