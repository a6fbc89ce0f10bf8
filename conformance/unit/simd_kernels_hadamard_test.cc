// The Hadamard transform, alone and fused with quantization, against the oracle: sizes, signs, both outputs, overflow,
// subnormals, NaN and Inf.
#include "reference/hadamard.h"
#include "simd_kernels_blocks.h"

namespace adahop::reference::simd {
namespace {

template <class Element, class Result>
using hadamard_kernel = void(const transform&, const Element*, int64_t, Result*, bool);
template <class Element>
using fused_kernel = run_report(const scale_choice&, bool, const Element*, int64_t, uint8_t*, uint8_t*);

float rounded(float v) { return decode_bf16(round_bf16(v)); }

template <class Element, class Result>
void check_groups(hadamard_kernel<Element, Result>* kernel, const transform& how, bool stream, std::vector<float> x,
                  int64_t behind) {
  std::vector<Element> elements;
  for (const float v : x) elements.push_back(element_of<Element>(v));
  for (size_t i = 0; i < x.size(); ++i)
    if (how.signs != nullptr && how.signs[i] != 0) x[i] = -x[i];
  for (size_t first = 0; first < x.size(); first += static_cast<size_t>(how.size))
    hadamard_transform(x.data() + first, how.size);
  std::vector<Result> expected;
  for (const float v : x) {
    if constexpr (sizeof(Result) == 2)
      expected.push_back(round_bf16(v).bits);
    else
      expected.push_back(how.round_bf16 ? rounded(v) : v);
  }
  const int64_t count = static_cast<int64_t>(x.size());
  fenced<Element> in(std::span<const Element>(elements), behind);
  fenced<Result> out(count, behind);
  kernel(how, in.data(), count, out.data(), stream);
  INFO("size " << how.size << ", " << count << " values, signs " << (how.signs != nullptr) << ", to BF16 "
               << how.round_bf16 << ", stream " << stream << ", " << behind << " before the fence");
  CHECK(difference(out, expected) == "");
  CHECK((out.intact() && in.intact()));
}

template <class Element, class Result>
void check_hadamard(hadamard_kernel<Element, Result>* kernel) {
  constexpr uint32_t kUlp = sizeof(Element) == 2 ? 0x10000u : 1u;
  test::generator random(700);
  test::case_picker some;
  int64_t behind = 0;
  for (const int32_t size : {16, 32, 64, 128})
    for (int groups = 0; groups <= 40; groups += groups < 12 ? 1 : 7)
      for (const bool with_signs : {false, true})
        for (const bool round : {false, true})
          for (const bool stream : {false, true}) {
            // Enough for any kind of block to meet any other within a group.
            for (int repeat = 0; repeat < 3; ++repeat) {
              std::vector<float> x;
              while (x.size() < static_cast<size_t>(groups * size)) append_block(random, kScaleChoices[0], kUlp, x);
              x.resize(static_cast<size_t>(groups * size));
              std::vector<uint32_t> words(x.size());
              for (uint32_t& word : words) word = random.bits() & 0x80000000u;
              fenced<uint32_t> signs{std::span<const uint32_t>(words)};
              const transform how{size, round, with_signs ? signs.data() : nullptr};
              if (some.runs()) check_groups(kernel, how, stream, x, behind++ % 17);
            }
          }
}

template <class Element>
void check_fused(fused_kernel<Element>* kernel) {
  uint64_t seed = 720;
  const auto under = [&](const scale_choice& how, bool round, const auto& check) {
    INFO("to BF16 " << round);
    check([&kernel, how, round](const Element* x, int64_t blocks, uint8_t* codes,
                                uint8_t* scales) { return kernel(how, round, x, blocks, codes, scales); },
          [p = policy_of(how), round](const float* x, int64_t, uint8_t* codes, uint8_t* scale) {
            float y[32];
            std::copy_n(x, 32, y);
            hadamard_transform(y, 32);
            if (round) std::transform(y, y + 32, y, rounded);
            return quantize_block(p, y, {}, codes, scale);
          });
  };
  for (const bool round : {false, true}) {
    for (const scale_choice& how : kScaleChoices)
      under(how, round, [&](const auto& run, const auto& oracle) { check_runs<Element>(how, run, oracle, seed++); });
    under({ADAHOP_SCALE_FLOOR, 0}, round,
          [](const auto& run, const auto& oracle) { check_long_runs<Element>(run, oracle); });
  }
}

}  // namespace

void check_hadamard_f32_f32(hadamard_kernel<float, float>* kernel) { check_hadamard(kernel); }
void check_hadamard_f32_bf16(hadamard_kernel<float, uint16_t>* kernel) { check_hadamard(kernel); }
void check_hadamard_bf16_f32(hadamard_kernel<uint16_t, float>* kernel) { check_hadamard(kernel); }
void check_hadamard_bf16_bf16(hadamard_kernel<uint16_t, uint16_t>* kernel) { check_hadamard(kernel); }
void check_hadamard_quantize_f32(fused_kernel<float>* kernel) { check_fused(kernel); }
void check_hadamard_quantize_bf16(fused_kernel<uint16_t>* kernel) { check_fused(kernel); }

}  // namespace adahop::reference::simd
