// A run of blocks to MXFP4 under RNE, 32 blocks at a time: keys and the largest of each block, all scale bytes at once,
// then codes. For AVX-512. Implements SPEC 5.1-5.14.
#pragma once
#include <immintrin.h>

#include "reference/simd/avx512/prefetch.h"
#include "reference/simd/avx512/quantize_codes.h"
#include "reference/simd/avx512/quantize_keys.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBatch = 32, kGroup = 8;

// The scale byte is ((key + round) >> 7) - 2 before it is clamped, key without sign. What carries into the
// exponent: nothing, a mantissa above 1, one of 1.75 and above, one above 1.5; in the order of adahop_scale_rule.
constexpr short kRound[4] = {0, 0x7F, 0x20, 0x3F};
constexpr int kRuleFloor = 0, kRuleEven = 2;

/// Ceil and rceil choose a scale of amax / 6 at least, and clamping raises it, so that nothing clips.
[[gnu::always_inline]] inline bool may_clip(int32_t rule) { return rule == kRuleFloor || rule == kRuleEven; }

/// What is known of 32 blocks before they are encoded.
struct alignas(64) batch {
  uint16_t keys[kBatch][kBlock];  // rotated
  uint32_t base[kBatch];          // base_of the scale, twice, at place_of the block
  uint32_t six[kBatch];           // the largest rotated key that does not clip, likewise
};

/// Where unpacking leaves block 8 a + 4 b + c: at 16 b + 4 a + c.
constexpr int place_of(int block) { return block % 8 / 4 * 16 + block / 8 * 4 + block % 4; }

[[gnu::always_inline]] inline void store_twice(__m512i words, uint32_t (&to)[kBatch]) {
  _mm512_store_si512(to, _mm512_unpacklo_epi16(words, words));
  _mm512_store_si512(to + kBatch / 2, _mm512_unpackhi_epi16(words, words));
}

// A Source has
//   const T* at(int64_t block) const                          where the block's elements lie,
//   void keys(int64_t block, __m512i (&out)[kCount]) const    rotated keys of that block and the following ones,
//   void values(int64_t block, __m512& low, __m512& high) const    what has these keys; FP32, subnormals kept,
//   kSplit                                                    whether a block is its even elements, then the odd ones,
//   kFlushes                                                  whether keys of subnormals may be those of zeros.

/// Keys, base and six of the blocks for which keys do not do. One with a NaN or Inf has its byte 0xFF and gets the keys
/// of zeros. Under a scale byte below 3 scale / 4 is subnormal, and keys are not spaced as elsewhere: 2^64 times the
/// values and the scale are taken, both exactly, as amax is below 2^-121 there.
template <class Source>
[[gnu::noinline]] void correct(batch& b, const Source& source, int64_t first, uint32_t nonfinite, uint32_t tiny,
                               __m512i bytes, run_report& report) {
  constexpr int kUp = 64;
  for (; nonfinite != 0; nonfinite &= nonfinite - 1) {
    const int i = __builtin_ctz(nonfinite);
    constexpr short kInf = static_cast<short>(2 * 0x7F80);
    uint32_t where = _mm512_cmpge_epu16_mask(_mm512_load_si512(b.keys[i]), _mm512_set1_epi16(kInf));
    if (Source::kSplit) where = _pdep_u32(where, 0x55555555) | _pdep_u32(where >> 16, 0xAAAAAAAA);
    if (report.first_nonfinite < 0) report.first_nonfinite = (first + i) * kBlock + __builtin_ctz(where);
    _mm512_store_si512(b.keys[i], _mm512_setzero_si512());
  }
  alignas(64) uint16_t byte[kBatch];
  _mm512_store_si512(byte, bytes);
  for (; tiny != 0; tiny &= tiny - 1) {
    const int i = __builtin_ctz(tiny);
    const __m512 up = _mm512_set1_ps(0x1p64f);
    __m512 low, high;
    source.values(first + i, low, high);
    _mm512_store_si512(b.keys[i], keys_of(_mm512_mul_ps(low, up), _mm512_mul_ps(high, up)));
    const uint32_t base = static_cast<uint32_t>(base_of(byte[i] + kUp));
    b.base[place_of(i)] = base * 0x10001u;
    b.six[place_of(i)] = (base + kSixAboveBase) * 0x10001u;
  }
}

/// Fills b, and writes the scale bytes, of blocks first to first + count; count is kBatch if kWhole, else below it.
template <bool kWhole, class Source>
[[gnu::always_inline]] inline void choose_scales(batch& b, const scale_choice& how, const Source& source, int64_t first,
                                                 int count, uint8_t* scales, run_report& report) {
  __m512i maxima[kBatch / kGroup];
  for (int g = 0; g < kBatch / kGroup; ++g) {
    __m512i keys[kGroup];
    const int64_t block = first + kGroup * g;
    if (kWhole) prefetch_ahead<kGroup * kBlock * sizeof(*source.at(0))>(source.at(block));
    if (kWhole || kGroup * (g + 1) <= count) {
      source.keys(block, keys);
    } else {
      for (int i = 0; i < kGroup; ++i) {
        __m512i one[1] = {_mm512_setzero_si512()};
        if (kGroup * g + i < count) source.keys(block + i, one);
        keys[i] = one[0];
      }
    }
    for (int i = 0; i < kGroup; ++i) _mm512_store_si512(b.keys[kGroup * g + i], keys[i]);
    maxima[g] = maxima_of_8(keys);
  }
  const __m512i amax = _mm512_srli_epi16(maxima_of_32(maxima), 1);
  const __m512i field = _mm512_srli_epi16(_mm512_add_epi16(amax, _mm512_set1_epi16(kRound[how.rule & 3])), 7);
  const __m512i bytes = _mm512_max_epu16(_mm512_subs_epu16(field, _mm512_set1_epi16(2)),
                                         _mm512_set1_epi16(static_cast<short>(how.min_scale_byte)));
  const uint32_t present = kWhole ? ~0u : _bzhi_u32(~0u, static_cast<unsigned>(count));
  const uint32_t nonfinite = _mm512_cmpge_epu16_mask(amax, _mm512_set1_epi16(0x7F80));
  const uint32_t small = _mm512_cmplt_epu16_mask(bytes, _mm512_set1_epi16(3));
  // Zeros are in cell 0 under any base; they are looked at again only where subnormals may have become zeros.
  const uint32_t tiny = small & (Source::kFlushes ? present : _mm512_test_epi16_mask(amax, amax));
  const __m256i stored = _mm512_cvtepi16_epi8(_mm512_mask_mov_epi16(bytes, nonfinite, _mm512_set1_epi16(0xFF)));
  if (kWhole)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scales + first), stored);
  else
    _mm256_mask_storeu_epi8(scales + first, present, stored);
  const __m512i base = _mm512_add_epi16(_mm512_slli_epi16(_mm512_max_epu16(bytes, _mm512_set1_epi16(3)), 8),
                                        _mm512_set1_epi16(static_cast<short>(base_of(0))));
  store_twice(base, b.base);
  store_twice(_mm512_add_epi16(base, _mm512_set1_epi16(static_cast<short>(kSixAboveBase))), b.six);
  if (__builtin_expect((nonfinite | tiny) != 0, 0)) correct(b, source, first, nonfinite, tiny, bytes, report);
}

/// Writes the codes of `count` blocks, kBatch if kWhole; returns the number of clipped elements, 0 unless `clips`.
template <bool kWhole, bool kSplit>
[[gnu::always_inline]] inline int64_t encode(const batch& b, bool clips, int count, uint8_t* codes) {
  int64_t clipped = 0;
  for (int i = 0; i < kBatch; i += 4) {
    if (!kWhole && i >= count) break;
    __m512i keys[4];
    for (int j = 0; j < 4; ++j) keys[j] = _mm512_load_si512(b.keys[i + j]);
    const __m512i four = codes_of_4<kSplit>(keys, b.base + place_of(i));
    if (kWhole || i + 4 <= count)
      _mm512_storeu_si512(codes + 16 * i, four);
    else
      _mm512_mask_storeu_epi64(codes + 16 * i,
                               static_cast<__mmask8>(_bzhi_u32(0xFF, 2 * static_cast<unsigned>(count - i))), four);
    if (clips)
      for (int j = 0; j < 4; ++j) {
        const __m512i six = _mm512_set1_epi32(static_cast<int>(b.six[place_of(i) + j]));
        clipped += __builtin_popcount(_mm512_cmpgt_epu16_mask(keys[j], six));
      }
  }
  return clipped;
}

template <class Source>
[[gnu::always_inline]] inline run_report quantize_run(const scale_choice& how, const Source& source, int64_t blocks,
                                                      uint8_t* codes, uint8_t* scales) {
  run_report report{0, -1};
  batch b[2];
  const bool clips = may_clip(how.rule);
  const int64_t whole = blocks / kBatch;
  // A batch is encoded after the next one's scales are chosen, to have work beside that long chain of operations.
  for (int64_t i = 0; i <= whole; ++i) {
    if (i < whole) choose_scales<true>(b[i & 1], how, source, kBatch * i, kBatch, scales, report);
    if (i > 0) report.clipped += encode<true, Source::kSplit>(b[~i & 1], clips, kBatch, codes + 16 * kBatch * (i - 1));
  }
  const int rest = static_cast<int>(blocks % kBatch);
  if (rest != 0) {
    choose_scales<false>(b[0], how, source, kBatch * whole, rest, scales, report);
    report.clipped += encode<false, Source::kSplit>(b[0], clips, rest, codes + 16 * kBatch * whole);
  }
  return report;
}

}  // namespace
}  // namespace adahop::reference::simd
