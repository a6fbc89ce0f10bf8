// Quantization to MXFP4. Implements SPEC 5.1-5.15.
#include "reference/quantize.h"

#include <fmt/format.h>

#include <algorithm>

#include "reference/encode.h"
#include "reference/quantize_rows.h"
#include "reference/scale.h"

namespace adahop::reference {
namespace {

constexpr uint32_t kInfBits = 0x7F800000u;

int32_t first_nonfinite(const float* x) {
  for (int32_t i = 0; i < kBlockSize; ++i)
    if ((bits_of(x[i]) & 0x7FFFFFFFu) >= kInfBits) return i;
  return -1;
}

}  // namespace

block_report quantize_block(const policy& p, const float* x, uint8_t* codes, uint8_t* scale) {
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
  for (int i = 0; i < kBlockBytes; ++i) codes[i] = pack_e2m1(encode_e2m1(x[2 * i], s), encode_e2m1(x[2 * i + 1], s));
  for (int i = 0; i < kBlockSize; ++i) report.clipped += clips(x[i], s) ? 1 : 0;
  return report;
}

adahop_quantize_result quantize(const policy& p, const adahop_view& x, const adahop_mx& out) {
  return quantize_rows(p, out, [&](int64_t r, int64_t c, float* block) {
    for (int i = 0; i < kBlockSize; ++i) block[i] = load(x, r, c + i);
  });
}

status check_nonfinite(const policy& p, const adahop_quantize_result& found, int64_t inner, const char* what) {
  if (p.nonfinite != ADAHOP_NONFINITE_REJECT || found.first_nonfinite < 0) return {};
  return {ADAHOP_NONFINITE, fmt::format("{}: element ({}, {}) is NaN or Inf, expected finite values under nonfinite=reject",
                                        what, found.first_nonfinite / inner, found.first_nonfinite % inner)};
}

}  // namespace adahop::reference
