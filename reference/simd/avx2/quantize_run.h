// A run of blocks to MXFP4 under RNE, two at a time, from wherever a source has them. For AVX2. Implements SPEC 5.1-5.14.
#pragma once
#include <string.h>

#include "reference/simd/avx2/quantize_bf16_pair.h"
#include "reference/simd/avx2/quantize_f32_pair.h"

namespace adahop::reference::simd {
namespace {

/// Two blocks of any values, `first` being the index of the first one; x is overwritten.
[[gnu::noinline]] inline void quantize_any_pair(const scale_rule& rule, float (&x)[2 * kBlock], int64_t first,
                                                uint8_t* codes, uint8_t* scales, run_report& report) {
  bool nan[2];
  for (int64_t i = 0; i < 2; ++i) {
    const int64_t place = first_nonfinite(x + kBlock * i);
    nan[i] = place >= 0;
    if (!nan[i]) continue;
    if (report.first_nonfinite < 0) report.first_nonfinite = (first + i) * kBlock + place;
    memset(x + kBlock * i, 0, kBlock * sizeof *x);  // codes 0, nothing clipped (SPEC 5.14)
  }
  __m256i clipped = _mm256_setzero_si256();
  const f32_block a = load_f32_block(x), b = load_f32_block(x + kBlock);
  quantize_pair(rule, a, b, codes, scales, clipped);
  report.clipped += f32_block::sum_clipped(clipped);
  for (int i = 0; i < 2; ++i)
    if (nan[i]) scales[i] = 0xFF;
}

/// source(block) gives an f32_block or a bf16_block.
template <class Source>
[[gnu::always_inline]] inline run_report quantize_run(const scale_choice& how, const Source& source, int64_t blocks,
                                                      uint8_t* codes, uint8_t* scales) {
  constexpr int64_t kBlocksPerSum = 8192;  // so that 16-bit lanes count at most 4 * 4096
  const scale_rule rule = rule_of(how);
  run_report report{0, -1};
  float x[2 * kBlock];
  const int64_t pairs_end = blocks & ~int64_t{1};
  for (int64_t begin = 0; begin < pairs_end; begin += kBlocksPerSum) {
    const int64_t end = pairs_end - begin < kBlocksPerSum ? pairs_end : begin + kBlocksPerSum;
    __m256i clipped = _mm256_setzero_si256();
    for (int64_t i = begin; i < end; i += 2) {
      const auto first = source(i), second = source(i + 1);
      if (quantize_pair(rule, first, second, codes + kCodeBytes * i, scales + i, clipped)) [[likely]]
        continue;
      store_values(first, x);
      store_values(second, x + kBlock);
      quantize_any_pair(rule, x, i, codes + kCodeBytes * i, scales + i, report);
    }
    report.clipped += decltype(source(0))::sum_clipped(clipped);
  }
  if (pairs_end < blocks) {
    uint8_t pair_codes[2 * kCodeBytes], pair_scales[2];
    store_values(source(pairs_end), x);
    memset(x + kBlock, 0, kBlock * sizeof *x);
    quantize_any_pair(rule, x, pairs_end, pair_codes, pair_scales, report);
    memcpy(codes + kCodeBytes * pairs_end, pair_codes, kCodeBytes);
    scales[pairs_end] = pair_scales[0];
  }
  return report;
}

}  // namespace
}  // namespace adahop::reference::simd
