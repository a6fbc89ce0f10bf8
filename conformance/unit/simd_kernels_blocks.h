// Blocks for the quantizing kernels: each kind of content that a kernel may treat in a way of its own; and a run of
// them through a kernel and block by block through the oracle.
#pragma once
#include <functional>

#include "reference/quantize.h"
#include "reference/scale.h"
#include "simd_kernels_support.h"

namespace adahop::reference::simd {

inline constexpr scale_choice kScaleChoices[] = {
    {ADAHOP_SCALE_FLOOR, 0}, {ADAHOP_SCALE_CEIL, 0}, {ADAHOP_SCALE_EVEN, 0}, {ADAHOP_SCALE_RCEIL, 0},
    {ADAHOP_SCALE_FLOOR, 1}, {ADAHOP_SCALE_CEIL, 1}, {ADAHOP_SCALE_EVEN, 1}, {ADAHOP_SCALE_RCEIL, 1}};

/// Bits that are NaN or Inf as FP32, and as BF16 by their upper half.
inline constexpr uint32_t kNonfinite[] = {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0xFFC00000u, 0x7F810000u, 0xFFFFFFFFu};

/// Thirty-two values around everything that decides a code under the scale of a block whose greatest magnitude is
/// `amax` (finite, its bits): that magnitude once, the midpoints of the grid and 6 with their neighbours on both sides,
/// whatever of them is not above it, the rest random below it. `ulp` is the least step of the element's bits: 1, or
/// 0x10000 for BF16.
inline void append_ties(test::generator& random, const scale_choice& how, uint32_t amax, uint32_t ulp,
                        std::vector<float>& x) {
  const int32_t byte = scale_byte(amax, static_cast<adahop_scale_rule>(how.rule), how.min_scale_byte);
  const size_t first = x.size();
  const auto append = [&](uint32_t magnitude) {
    if (magnitude > amax) magnitude = random.bits() % (amax + 1);
    x.push_back(float_of((magnitude / ulp * ulp) | (random.bits() & 0x80000000u)));
  };
  for (const double tie : {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0}) {
    // Exact, 2^-129 too; what is too large for FP32 becomes Inf, which is above amax.
    const uint32_t at = bits_of(static_cast<float>(std::ldexp(tie, byte - 127)));
    append(at), append(at - ulp), append(at + ulp);
  }
  while (x.size() < first + 32) append(random.bits() % (amax + 1));
  x[first + static_cast<size_t>(random.integer(0, 31))] = float_of(amax | (random.bits() & 0x80000000u));
}

/// One block of a random kind.
inline void append_block(test::generator& random, const scale_choice& how, uint32_t ulp, std::vector<float>& x) {
  const int kind = random.integer(0, 9), base = random.integer(0, 246);
  const auto append = [&](float v) { x.push_back(float_of(bits_of(v) / ulp * ulp)); };
  if (kind == 9)
    return append_ties(random, how, bits_of(random.with_exponent(0, 254)) & 0x7FFFFFFFu & ~(ulp - 1), ulp, x);
  const int odd_one = random.integer(0, 31);
  for (int i = 0; i < 32; ++i) switch (kind) {
      case 0:
      case 1:
        append(random.with_exponent(120, 130));
        break;
      case 2:
        append(random.with_exponent(base, base + 8));
        break;
      case 3:
        append(random.with_exponent(0, 254));
        break;
      case 4:
        append(random.with_exponent(0, 4));
        break;
      case 5:
        append(random.with_exponent(251, 254));
        break;
      case 6:
        append(float_of(random.bits() & 0x80000000u));
        break;
      case 7:
        append(i == odd_one ? random.with_exponent(0, 254) : 0.0f);
        break;
      default:
        append(i == odd_one && random.integer(0, 1) == 0 ? float_of(kNonfinite[random.integer(0, 5)])
                                                         : random.with_exponent(100, 140));
    }
}

/// What decides the 16 bytes of codes, the scale byte and the report of block `index`.
using block_oracle = std::function<block_report(const float* block, int64_t index, uint8_t* codes, uint8_t* scale)>;

/// A kernel with everything but its run bound.
template <class Element>
using run_kernel = std::function<run_report(const Element* x, int64_t blocks, uint8_t* codes, uint8_t* scales)>;

/// Both on the blocks of x, whose values an Element holds exactly; `behind` moves inputs and outputs off their
/// alignment.
template <class Element>
void compare_run(const std::vector<float>& x, const run_kernel<Element>& kernel, const block_oracle& oracle,
                 int64_t behind = 0) {
  const size_t blocks = x.size() / 32;
  std::vector<uint8_t> codes(16 * blocks), scales(blocks);
  run_report expected{0, -1};
  for (size_t i = 0; i < blocks; ++i) {
    const block_report block =
        oracle(x.data() + 32 * i, static_cast<int64_t>(i), codes.data() + 16 * i, scales.data() + i);
    expected.clipped += block.clipped;
    if (expected.first_nonfinite < 0 && block.first_nonfinite >= 0)
      expected.first_nonfinite = static_cast<int64_t>(32 * i) + block.first_nonfinite;
  }
  std::vector<Element> elements;
  for (const float v : x) elements.push_back(element_of<Element>(v));
  fenced<Element> in(std::span<const Element>(elements), behind);
  fenced<uint8_t> got_codes(static_cast<int64_t>(codes.size()), behind),
      got_scales(static_cast<int64_t>(blocks), behind);
  const run_report got = kernel(in.data(), static_cast<int64_t>(blocks), got_codes.data(), got_scales.data());
  INFO(blocks << " blocks, outputs " << behind << " bytes before the fence");
  CHECK(difference(got_scales, scales) == "");
  CHECK(difference(got_codes, codes) == "");
  CHECK(got.clipped == expected.clipped);
  CHECK(got.first_nonfinite == expected.first_nonfinite);
  CHECK((got_codes.intact() && got_scales.intact() && in.intact()));
}

/// Runs under floor that are long enough for any counter narrower than the report's, all 32 elements of every block
/// clipping: as they are, or, for a fused kernel, after the transform of a single value.
template <class Element>
void check_long_runs(const run_kernel<Element>& kernel, const block_oracle& oracle) {
  for (const bool single : {false, true}) {
    std::vector<float> x(32 * 16387, single ? 0.0f : 7.875f);
    for (size_t i = 0; single && i < x.size(); i += 32) x[i] = 44.75f;
    compare_run<Element>(x, kernel, oracle);
  }
}

/// The runs that every quantizing kernel must get right: each length up to 70 blocks; each exponent of the greatest
/// magnitude under mantissas around every rule's thresholds; a NaN or Inf at every position of blocks at several
/// places.
template <class Element>
void check_runs(const scale_choice& how, const run_kernel<Element>& kernel, const block_oracle& oracle, uint64_t seed) {
  constexpr uint32_t kUlp = sizeof(Element) == 2 ? 0x10000u : 1u;
  test::generator random(seed);
  test::case_picker some;
  INFO("rule " << how.rule << ", min_scale_byte " << how.min_scale_byte << ", seed " << seed);
  for (int length = 0; length <= 70; ++length) {
    std::vector<float> x;
    for (int i = 0; i < length; ++i) append_block(random, how, kUlp, x);
    if (some.runs()) compare_run<Element>(x, kernel, oracle, length % 9);
  }
  for (uint32_t exponent = 0; exponent < 255; ++exponent) {
    std::vector<float> x;
    for (const uint32_t threshold : {0u, 0x200000u, 0x400000u, 0x600000u, 0x800000u})
      for (const uint32_t mantissa : {threshold - kUlp, threshold, threshold + kUlp})
        if (mantissa < 0x800000u) append_ties(random, how, exponent << 23 | mantissa, kUlp, x);
    if (some.runs()) compare_run<Element>(x, kernel, oracle);
  }
  std::vector<float> finite;
  for (int i = 0; i < 11; ++i) append_ties(random, how, bits_of(1.5f * static_cast<float>(i)), kUlp, finite);
  for (const uint32_t bits : kNonfinite)
    for (size_t i = 0; i < 32; ++i) {
      std::vector<float> x = finite;
      const size_t at = 32 * (i % 11) + i;
      x[at] = float_of(bits);
      if (i % 3 == 0) x[static_cast<size_t>(random.integer(0, 351))] = float_of(kNonfinite[random.integer(0, 5)]);
      if (some.runs()) compare_run<Element>(x, kernel, oracle, static_cast<int64_t>(i % 2));
    }
}

}  // namespace adahop::reference::simd
