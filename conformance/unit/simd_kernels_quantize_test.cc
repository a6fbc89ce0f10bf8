// Quantization under RNE and with random words against the oracle: four rules, every tie, every exponent, seeds,
// positions.
#include "simd_kernels_blocks.h"

namespace adahop::reference::simd {
namespace {

template <class Element>
using quantize_kernel = run_report(const scale_choice&, const Element*, int64_t, uint8_t*, uint8_t*);
using random_kernel = run_report(const scale_choice&, const random_words&, const float*, int64_t, uint8_t*, uint8_t*);

constexpr scale_choice kFloor{ADAHOP_SCALE_FLOOR, 0};

template <class Element>
void check_rne(quantize_kernel<Element>* kernel) {
  uint64_t seed = 610;
  const auto under = [&](const scale_choice& how, const auto& check) {
    check([&kernel, how](const Element* x, int64_t blocks, uint8_t* codes,
                         uint8_t* scales) { return kernel(how, x, blocks, codes, scales); },
          [p = policy_of(how)](const float* x, int64_t, uint8_t* codes, uint8_t* scale) {
            return quantize_block(p, x, {}, codes, scale);
          });
  };
  for (const scale_choice& how : kScaleChoices)
    under(how, [&](const auto& run, const auto& oracle) { check_runs<Element>(how, run, oracle, seed++); });
  under(kFloor, [](const auto& run, const auto& oracle) { check_long_runs<Element>(run, oracle); });
}

// The kernel on its words, the oracle under a policy whose block `index` begins at place(index). Many runs, or long
// ones.
void check_random(random_kernel* kernel, const scale_choice& how, const random_words& words, const policy& p,
                  const std::function<block_place(int64_t)>& place, uint64_t seed, bool long_runs = false) {
  INFO("seed " << words.seed << ", position " << words.position << ", bits " << words.bits);
  const auto run = [&](const float* x, int64_t blocks, uint8_t* codes, uint8_t* scales) {
    return kernel(how, words, x, blocks, codes, scales);
  };
  const auto oracle = [&](const float* x, int64_t index, uint8_t* codes, uint8_t* scale) {
    return quantize_block(p, x, place(index), codes, scale);
  };
  if (long_runs)
    check_long_runs<float>(run, oracle);
  else
    check_runs<float>(how, run, oracle, seed);
}

// Where a run begins; the low word of some wraps around within it.
constexpr uint64_t kPositions[] = {0, 1, 12345, 0xFFFFFFE0u, 0xFFFFFFFFu, 0x7FFFFF80u, 0x123456789ABCDEF0u};

}  // namespace

void check_quantize_f32(quantize_kernel<float>* kernel) { check_rne(kernel); }
void check_quantize_bf16(quantize_kernel<uint16_t>* kernel) { check_rne(kernel); }

void check_quantize_stochastic(random_kernel* kernel) {
  test::generator random(620);
  std::vector<uint64_t> positions(std::begin(kPositions), std::end(kPositions));
  // The sum of offset and index is modulo 2^64 (SPEC 5.18).
  for (const uint64_t position : {0xFFFFFFFFFFFFFFE0u, 0xFFFFFFFFFFFFFFFFu}) positions.push_back(position);
  const auto check = [&](const scale_choice& how, uint64_t position, int32_t bits, bool long_runs) {
    const random_words words{random.bits64(), position, bits};
    policy p = policy_of(how);
    p.element_rounding = ADAHOP_ROUND_STOCHASTIC;
    p.sr_bits = bits, p.sr_seed = words.seed, p.sr_offset = words.position;
    check_random(
        kernel, how, words, p,
        [](int64_t index) {
          return block_place{0, 32 * index, 32 * (index + 1)};
        },
        630 + static_cast<uint64_t>(bits), long_runs);
  };
  // Every number of bits once, rules and positions in turn.
  for (int32_t bits = 1; bits <= 32; ++bits)
    check(kScaleChoices[bits % 8], positions[static_cast<size_t>(bits) % positions.size()], bits, false);
  check(kFloor, 7, 16, true);
}

void check_quantize_gfx950_sr(random_kernel* kernel) {
  test::generator random(621);
  uint64_t seed = 670;
  const auto check = [&](const scale_choice& how, uint64_t position, bool long_runs) {
    const random_words words{random.bits64(), position, 0};
    policy p = policy_of(how);
    p.element_rounding = ADAHOP_ROUND_GFX950_SR;
    p.sr_seed = words.seed;
    // Row 1 of a tensor with as many pairs a row as the position says.
    const int64_t row = 1, inner = static_cast<int64_t>(2 * position);
    check_random(
        kernel, how, words, p,
        [&](int64_t index) {
          return block_place{row, 32 * index, inner};
        },
        seed++, long_runs);
  };
  for (const uint64_t position : kPositions)
    for (const scale_choice& how : {kScaleChoices[seed % 8], kScaleChoices[(seed + 3) % 8]})
      check(how, position, false);
  check(kFloor, 7, true);
}

}  // namespace adahop::reference::simd
