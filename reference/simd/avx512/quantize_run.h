// A run of blocks to MXFP4 under RNE, 32 blocks at a time: keys and largest key of each, all scale bytes at once, codes.
// For AVX-512. Implements SPEC 5.1-5.14.
#pragma once
#include <immintrin.h>

#include "reference/simd/avx512/quantize_codes.h"
#include "reference/simd/avx512/quantize_keys.h"

namespace adahop::reference::simd {
namespace {

constexpr int kBatch = 32;

// The byte is ((key + round) >> 7) - 2, of the magnitude's key, before it is clamped: a mantissa of 1.75 and above, above
// 1, above 1.5, or none carries into the exponent. Order is that of adahop_scale_rule: floor, ceil, even, rceil.
constexpr short kRound[4] = {0, 0x7F, 0x20, 0x3F};
constexpr int kRuleFloor = 0, kRuleEven = 2;

/// Ceil and rceil choose scale >= amax / 6, so nothing clips.
[[gnu::always_inline]] inline bool may_clip(int32_t rule) { return rule == kRuleFloor || rule == kRuleEven; }

struct alignas(64) batch {
  uint16_t keys[kBatch][kBlock];
  uint32_t base[kBatch];  // of block 8 a + 4 b + c at 16 b + 4 a + c, as unpacking leaves them; twice in each dword
  uint32_t six[kBatch];
};

constexpr int place_of(int block) { return block % 8 / 4 * 16 + block / 8 * 4 + block % 4; }

[[gnu::always_inline]] inline void store_twice(__m512i words, uint32_t* to) {
  _mm512_store_si512(to, _mm512_unpacklo_epi16(words, words));
  _mm512_store_si512(to + 16, _mm512_unpackhi_epi16(words, words));
}

// A Source has
//   __m512i keys(int64_t block) const             rotated keys,
//   void values(int64_t block, __m512& low, __m512& high) const     the same values as FP32, finite, subnormals kept,
//   kFlushes                                      whether keys of subnormals may be those of zeros.

// Blocks for which keys do not do. A NaN or Inf: byte 0xFF is written already, codes are those of zeros. A scale byte
// below 3: scale / 4 is subnormal, where keys are not spaced as elsewhere; so take 2^64 times the values and the scale,
// both exact: amax is below 2^-121.
template <class Source>
[[gnu::noinline]] void correct(batch& b, const Source& source, int64_t first, uint32_t nonfinite, uint32_t tiny, __m512i bytes,
                               run_report& report) {
  constexpr int kUp = 64;
  alignas(64) uint16_t byte[kBatch];
  _mm512_store_si512(byte, bytes);
  for (; nonfinite != 0; nonfinite &= nonfinite - 1) {
    const int i = __builtin_ctz(nonfinite);
    const __m512i keys = _mm512_load_si512(b.keys[i]);
    const uint32_t where = _mm512_cmpge_epu16_mask(keys, _mm512_set1_epi16(static_cast<short>(0xFF00)));
    if (report.first_nonfinite < 0) report.first_nonfinite = (first + i) * kBlock + __builtin_ctz(where);
    _mm512_store_si512(b.keys[i], _mm512_setzero_si512());
  }
  for (; tiny != 0; tiny &= tiny - 1) {
    const int i = __builtin_ctz(tiny);
    __m512 low, high;
    source.values(first + i, low, high);
    const __m512 up = _mm512_set1_ps(0x1p64f);
    _mm512_store_si512(b.keys[i], keys_of(_mm512_mul_ps(low, up), _mm512_mul_ps(high, up)));
    const uint32_t base = static_cast<uint32_t>(base_of(byte[i] + kUp));
    b.base[place_of(i)] = base * 0x10001u;
    b.six[place_of(i)] = (base + kSixAboveBase) * 0x10001u;
  }
}

/// Blocks first to first + count, count kBatch if kWhole.
template <bool kWhole, class Source>
[[gnu::always_inline]] inline void quantize_batch(const scale_choice& how, const Source& source, int64_t first, int count,
                                                  uint8_t* codes, uint8_t* scales, run_report& report) {
  batch b;
  __m512i groups[4];
  for (int g = 0; g < 4; ++g) {
    groups[g] = _mm512_setzero_si512();
    if (!kWhole && 8 * g >= count) continue;
    __m512i keys[8];
    for (int i = 0; i < 8; ++i) {
      keys[i] = kWhole || 8 * g + i < count ? source.keys(first + 8 * g + i) : _mm512_setzero_si512();
      _mm512_store_si512(b.keys[8 * g + i], keys[i]);
    }
    groups[g] = maxima_of_8(keys);
  }
  const __m512i amax = _mm512_srli_epi16(maxima_of_32(groups), 1);
  const __m512i field = _mm512_srli_epi16(_mm512_add_epi16(amax, _mm512_set1_epi16(kRound[how.rule & 3])), 7);
  const __m512i bytes = _mm512_max_epu16(_mm512_subs_epu16(field, _mm512_set1_epi16(2)),
                                         _mm512_set1_epi16(static_cast<short>(how.min_scale_byte)));
  const uint32_t present = kWhole ? ~0u : _bzhi_u32(~0u, static_cast<unsigned>(count));
  const uint32_t nonfinite = _mm512_cmpge_epu16_mask(amax, _mm512_set1_epi16(0x7F80));
  uint32_t tiny = _mm512_cmplt_epu16_mask(bytes, _mm512_set1_epi16(3));
  // Zeros are in cell 0 under any base; only where keys cannot tell are they looked at again.
  tiny &= Source::kFlushes ? present : _mm512_test_epi16_mask(amax, amax);
  const __m256i stored = _mm512_cvtepi16_epi8(_mm512_mask_mov_epi16(bytes, nonfinite, _mm512_set1_epi16(0xFF)));
  if (kWhole)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scales + first), stored);
  else
    _mm256_mask_storeu_epi8(scales + first, present, stored);
  const __m512i base = _mm512_add_epi16(_mm512_slli_epi16(_mm512_max_epu16(bytes, _mm512_set1_epi16(3)), 8),
                                        _mm512_set1_epi16(static_cast<short>(base_of(0))));
  store_twice(base, b.base);
  const __m512i six = _mm512_add_epi16(base, _mm512_set1_epi16(static_cast<short>(kSixAboveBase)));
  store_twice(six, b.six);
  if ((nonfinite | tiny) != 0) correct(b, source, first, nonfinite, tiny, bytes, report);

  int64_t clipped = 0;
  for (int i = 0; i < kBatch; i += 4) {
    if (!kWhole && i >= count) break;
    __m512i keys[4];
    for (int j = 0; j < 4; ++j) keys[j] = _mm512_load_si512(b.keys[i + j]);
    const __m512i four = codes_of_4(keys, b.base + place_of(i));
    uint8_t* const to = codes + 16 * (first + i);
    if (kWhole || i + 4 <= count)
      _mm512_storeu_si512(to, four);
    else
      _mm512_mask_storeu_epi64(to, static_cast<__mmask8>(_bzhi_u32(0xFF, 2 * static_cast<unsigned>(count - i))), four);
    if (may_clip(how.rule))
      for (int j = 0; j < 4; ++j)
        clipped += __builtin_popcount(_mm512_cmpgt_epu16_mask(
            keys[j], _mm512_set1_epi32(static_cast<int>(b.six[place_of(i) + j]))));
  }
  report.clipped += clipped;
}

template <class Source>
[[gnu::always_inline]] inline run_report quantize_run(const scale_choice& how, const Source& source, int64_t blocks,
                                                      uint8_t* codes, uint8_t* scales) {
  run_report report{0, -1};
  int64_t first = 0;
  for (; first + kBatch <= blocks; first += kBatch) quantize_batch<true>(how, source, first, kBatch, codes, scales, report);
  if (first < blocks)
    quantize_batch<false>(how, source, first, static_cast<int>(blocks - first), codes, scales, report);
  return report;
}

}  // namespace
}  // namespace adahop::reference::simd
