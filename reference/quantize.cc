// Quantization to MXFP4. Implements SPEC 3.7, 3.8, 5.1-5.20.
#include "reference/quantize.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/encode.h"
#include "reference/extent.h"
#include "reference/quantize_rows.h"
#include "reference/scale.h"
#include "reference/stochastic.h"

namespace adahop::reference {
namespace {

constexpr uint32_t kInfBits = 0x7F800000u;

int32_t first_nonfinite(const float* x) {
  for (int32_t i = 0; i < kBlockSize; ++i)
    if ((bits_of(x[i]) & 0x7FFFFFFFu) >= kInfBits) return i;
  return -1;
}

// Elements 2i and 2i + 1 of a block, under the policy's element_rounding.
uint8_t encode_pair(const policy& p, const float* pair, e8m0 scale, const block_place& place, int i) {
  if (p.element_rounding == ADAHOP_ROUND_STOCHASTIC) {
    const auto encode = [&](int element) {
      const int64_t index = place.row * place.inner + place.column + 2 * i + element;
      const uint64_t position = p.sr_offset + static_cast<uint64_t>(index);
      return encode_e2m1_stochastic(pair[element], scale, stochastic_bits(p.sr_seed, position, p.sr_bits), p.sr_bits);
    };
    return pack_e2m1(encode(0), encode(1));
  }
  if (p.element_rounding == ADAHOP_ROUND_GFX950_SR) {
    const int64_t index = place.row * ((place.inner + 1) / 2) + place.column / 2 + i;
    const gfx950_words words = gfx950_sr_words(p.sr_seed, static_cast<uint64_t>(index));
    return pack_e2m1(encode_e2m1_gfx950_sr(pair[0], scale, words.even),
                     encode_e2m1_gfx950_sr(pair[1], scale, words.odd));
  }
  return pack_e2m1(encode_e2m1(pair[0], scale), encode_e2m1(pair[1], scale));
}

}  // namespace

block_report quantize_block(const policy& p, const float* x, const block_place& place, uint8_t* codes, uint8_t* scale) {
  block_report report;
  const uint32_t amax = amax_bits(x);
  if (amax >= kInfBits) {  // SPEC 5.14
    std::fill_n(codes, kBlockBytes, uint8_t{0});
    *scale = kE8m0Nan;
    report.first_nonfinite = first_nonfinite(x);
    return report;
  }
  *scale = scale_byte(amax, static_cast<adahop_scale_rule>(p.scale_rule), p.min_scale_byte);
  const e8m0 s = e8m0_of(*scale);
  for (int i = 0; i < kBlockBytes; ++i) codes[i] = encode_pair(p, x + 2 * i, s, place, i);
  for (int i = 0; i < kBlockSize; ++i) report.clipped += clips(x[i], s) ? 1 : 0;
  return report;
}

adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out) {
  return quantize_rows(p, out, x.cols, kBlockSize, [&](int64_t r, int64_t first, float* block) {
    for (int64_t i = 0; i < kBlockSize; ++i) block[i] = load_padded(x, r, first + i);
  });
}

status check_nonfinite(const policy& p, const adahop_quantize_result& found, int64_t inner, const char* what) {
  if (p.nonfinite != ADAHOP_NONFINITE_REJECT || found.first_nonfinite < 0) return {};
  return {ADAHOP_NONFINITE,
          fmt::format("{}: element ({}, {}) is NaN or Inf, expected finite values under nonfinite=reject", what,
                      found.first_nonfinite / inner, found.first_nonfinite % inner)};
}

}  // namespace adahop::reference
