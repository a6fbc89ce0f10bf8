// view(P/32, 2, 16, Q/8, 2, 4).permute(0, 3, 5, 2, 4, 1), written out. Implements SPEC 3.5, 3.6.
#include "scale_shuffle.h"

namespace independent {

std::vector<uint8_t> shuffled_scales(const std::vector<uint8_t>& scales, int rows, int blocks, uint8_t pad) {
  const int row_groups = (rows + 31) / 32, block_groups = (blocks + 7) / 8;
  std::vector<uint8_t> out;
  // One loop a dimension of the permuted view, outermost first: d0, d3, d5, d2, d4, d1.
  for (int d0 = 0; d0 < row_groups; ++d0)
    for (int d3 = 0; d3 < block_groups; ++d3)
      for (int d5 = 0; d5 < 4; ++d5)
        for (int d2 = 0; d2 < 16; ++d2)
          for (int d4 = 0; d4 < 2; ++d4)
            for (int d1 = 0; d1 < 2; ++d1) {
              const int row = (d0 * 2 + d1) * 16 + d2, block = (d3 * 2 + d4) * 4 + d5;
              const bool inside = row < rows && block < blocks;
              out.push_back(inside ? scales[static_cast<std::size_t>(row) * static_cast<std::size_t>(blocks) +
                                            static_cast<std::size_t>(block)]
                                   : pad);
            }
  return out;
}

}  // namespace independent
