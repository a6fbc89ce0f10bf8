// Runs of FP32 or BF16 blocks to MXFP4, eight blocks at a time, for AVX2. Implements SPEC 5.1-5.14.
#pragma once
#include "reference/simd/avx2/quantize_bf16_block.h"
#include "reference/simd/avx2/quantize_f32_block.h"

namespace adahop::reference::simd {
namespace {

constexpr int64_t kTile = 64;  // blocks, one for each bit of a mask

// How far ahead of what is read memory is asked for: the pauses between eight blocks and the next are too long for the
// hardware to do it alone. Not a multiple of 4096, so that it goes to other sets of the L1 cache.
constexpr uintptr_t kBytesAhead = 10 * 1024;

/// Eight blocks of the input, some way behind these, which may be past its end.
template <class Input>
[[gnu::always_inline]] inline void prefetch_8(const Input* x) {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(x) + kBytesAhead;
#pragma GCC unroll 16
  for (uintptr_t line = 0; line < 8 * kBlock * sizeof *x; line += 64)
    _mm_prefetch(reinterpret_cast<const char*>(begin + line), _MM_HINT_T0);
}

/// Bits of blocks, of eight or of a tile.
struct block_masks {
  uint64_t nonfinite, clipped, again;
};

[[gnu::always_inline]] inline void store_bytes(__m256i bytes, uint8_t* to) {
  const __m256i words = _mm256_packs_epi32(bytes, bytes);
  const __m256i packed = _mm256_packus_epi16(words, words);  // four bytes at the begin of each half
  const int32_t halves[2] = {_mm_cvtsi128_si32(_mm256_castsi256_si128(packed)),
                             _mm_cvtsi128_si32(_mm256_extracti128_si256(packed, 1))};
  memcpy(to, halves, sizeof halves);
}

/// Eight blocks as if all were finite; which of them are not, have something to clip, or must be encoded again.
template <class Encoder, class Element>
[[gnu::always_inline]] inline block_masks quantize_8(const scale_rule& rule, const Encoder& encoder, const Element* x,
                                                     int64_t first, uint8_t* codes, uint8_t* scales) {
  const __m256i amax = amax_of_8(x);
  const __m256i bytes = scale_bytes(rule, amax);
  store_bytes(bytes, scales);
  const uint32_t again = encoder.eight(x, first, amax, bytes, codes);
  return {lanes_greater(amax, _mm256_set1_epi32(0x7F7FFFFF)), lanes_greater(amax, six_scales(bytes)), again};
}

/// The blocks of a tile that were marked; the tile begins with element `first`.
template <class Encoder, class Element>
[[gnu::always_inline]] inline void finish_marked(const Encoder& encoder, block_masks marked, const Element* x,
                                                 int64_t first, uint8_t* codes, uint8_t* scales, run_report& report) {
  uint64_t clipped = marked.clipped & ~marked.nonfinite;
  for (; clipped != 0; clipped &= clipped - 1) {
    const int i = __builtin_ctzll(clipped);
    report.clipped += count_clipped(x + kBlock * i, scales[i]);
  }
  for (; marked.again != 0; marked.again &= marked.again - 1) {
    const int i = __builtin_ctzll(marked.again);
    encoder.again(x + kBlock * i, scales[i], codes + kCodeBytes * i);
  }
  for (; marked.nonfinite != 0; marked.nonfinite &= marked.nonfinite - 1) {
    const int i = __builtin_ctzll(marked.nonfinite);
    if (report.first_nonfinite < 0) report.first_nonfinite = first + kBlock * i + first_nonfinite(x + kBlock * i);
    memset(codes + kCodeBytes * i, 0, kCodeBytes);
    scales[i] = 0xFF;
  }
}

/// Up to kTile blocks x, which come from `input`.
template <class Encoder, class Element, class Input>
[[gnu::always_inline]] inline void quantize_tile(const scale_rule& rule, const Encoder& encoder, const Element* x,
                                                 const Input* input, int64_t first, int64_t blocks, uint8_t* codes,
                                                 uint8_t* scales, run_report& report) {
  block_masks marked{0, 0, 0};
  const auto mark = [&](const block_masks& eight, int64_t at) __attribute__((always_inline)) {
    marked.nonfinite |= eight.nonfinite << at;
    marked.clipped |= eight.clipped << at;
    marked.again |= eight.again << at;
  };
  int64_t i = 0;
  for (; i + 8 <= blocks; i += 8) {
    prefetch_8(input + kBlock * i);
    mark(quantize_8(rule, encoder, x + kBlock * i, first + kBlock * i, codes + kCodeBytes * i, scales + i), i);
  }
  if (i < blocks) {
    // The last ones with zeros behind them, which nothing marks.
    Element last[8 * kBlock] = {};
    uint8_t last_codes[8 * kCodeBytes], last_scales[8];
    const size_t count = static_cast<size_t>(blocks - i);
    memcpy(last, x + kBlock * i, count * kBlock * sizeof *x);
    mark(quantize_8(rule, encoder, last, first + kBlock * i, last_codes, last_scales), i);
    memcpy(codes + kCodeBytes * i, last_codes, count * kCodeBytes);
    memcpy(scales + i, last_scales, count);
  }
  finish_marked(encoder, marked, x, first, codes, scales, report);
}

/// values(x, count) gives what is quantized of `count` blocks of the input, at most kTile, from x on.
template <class Encoder, class Input, class Values>
[[gnu::always_inline]] inline run_report quantize_run(const scale_choice& how, const Encoder& encoder, const Input* x,
                                                      const Values& values, int64_t blocks, uint8_t* codes,
                                                      uint8_t* scales) {
  const scale_rule rule = rule_of(how);
  run_report report{0, -1};
  for (int64_t i = 0; i < blocks; i += kTile) {
    const int64_t count = blocks - i < kTile ? blocks - i : kTile;
    const Input* const input = x + kBlock * i;
    quantize_tile(rule, encoder, values(input, count), input, kBlock * i, count, codes + kCodeBytes * i, scales + i,
                  report);
  }
  return report;
}

/// The input itself.
template <class Encoder, class Input>
[[gnu::always_inline]] inline run_report quantize_run(const scale_choice& how, const Encoder& encoder, const Input* x,
                                                      int64_t blocks, uint8_t* codes, uint8_t* scales) {
  const auto same = [](const Input* values, int64_t) { return values; };
  return quantize_run(how, encoder, x, same, blocks, codes, scales);
}

}  // namespace
}  // namespace adahop::reference::simd
