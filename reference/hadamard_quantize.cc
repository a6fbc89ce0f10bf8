// Fused Hadamard and quantization. Implements SPEC 6.7-6.11.
#include "reference/hadamard_quantize.h"

#include <algorithm>

#include "reference/hadamard.h"
#include "reference/quantize_rows.h"

namespace adahop::reference {

adahop_quantize_result hadamard_quantize(const policy& p, const adahop_view& x, std::span<const int32_t> zeroed,
                                         const adahop_mx& out) {
  const int64_t group = transform_multiple(p);
  return quantize_rows(p, out, out.inner, group, [&](int64_t r, int64_t first, float* values) {
    const bool zero = std::binary_search(zeroed.begin(), zeroed.end(), r);
    for (int64_t i = 0; i < group; ++i) values[i] = zero ? 0.0f : load_padded(x, r, first + i);
    hadamard_groups(p, values, first, group);
  });
}

}  // namespace adahop::reference
