// Fused Hadamard and quantization. Implements SPEC 6.7-6.9.
#include "reference/hadamard_quantize.h"

#include <algorithm>

#include "reference/hadamard.h"
#include "reference/quantize_rows.h"
#include "reference/round_bf16.h"

namespace adahop::reference {

adahop_quantize_result hadamard_quantize(const policy& p, const adahop_view& x, std::span<const int32_t> zeroed,
                                         const adahop_mx& out) {
  return quantize_rows(p, out, [&](int64_t r, int64_t c, float* block) {
    const bool zero = std::binary_search(zeroed.begin(), zeroed.end(), r);
    for (int i = 0; i < kBlockSize; ++i) block[i] = zero ? 0.0f : load(x, r, c + i);
    hadamard32(block);
    if (p.hadamard_output == ADAHOP_BF16)
      for (int i = 0; i < kBlockSize; ++i) block[i] = decode_bf16(round_bf16(block[i]));
  });
}

}  // namespace adahop::reference
