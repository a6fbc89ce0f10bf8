// Inputs on which one bit of a rule decides, found by mutants of the reference that no other case showed: verdicts of both
// kinds, random words that just do or do not carry, ties that a far smaller addend breaks, the limit of the certificate,
// non-finite BF16 products; and emulated instructions held bit for bit to the model that they are told to follow.
// Implements the suite's side of SPEC 5.17, 5.21, 7.6, 10.4-10.6, 10.11-10.24.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adahop/formats/mx_block.h"
#include "adahop/formats/philox.h"
#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/models.h"
#include "conformance/suites/native_facts.h"

namespace adahop::conformance {
namespace {

// Under a ratio below 1 both quotients can exceed it: rows are judged first, also where columns exceed it further.
void add_two_verdicts(any_adder& adder) {
  for (const adahop_pattern pattern : {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN})
    adder.add(stage::edge_pattern, fmt::format("two-verdicts.{}", name(pattern)), "67x48", "pattern_ratio=0.001",
              [=](const context& ctx) -> result<call> {
                const auto x = generate({source::uniform, 67, 48, pattern, ADAHOP_BF16, false}, ctx.seed, "x");
                return pattern_call(parse_policy("pattern_ratio=0.001", default_policy()).value(), input_of("x", x));
              });
}

mx_input input_of(mx_matrix m, std::string name) {
  auto owner = std::make_shared<mx_matrix>(std::move(m));
  const adahop_mx view = view_of(*owner);
  return {std::move(name), view, std::move(owner)};
}

constexpr uint8_t kOne = 0x2u, kMinusOne = 0xAu, kHalf = 0x1u, kOneAndHalf = 0x3u;  // codes in the low nibble

// Rows of four blocks with one element 1 each, but for the second, which is empty; block i of row r has the scale
// 2^exponents(r)[i].
template <class Exponents>
mx_input rows_of_powers(int64_t rows, std::string name, const Exponents& exponents) {
  mx_matrix m(rows, 4 * kBlockSize);
  for (int64_t r = 0; r < rows; ++r) {
    const std::array<int, 4> powers = exponents(static_cast<int>(r));
    for (int64_t block = 0; block < 4; ++block) {
      m.codes[static_cast<size_t>((r * 4 + block) * kBlockBytes)] = block == 1 ? 0 : kOne;
      m.scales[static_cast<size_t>(4 * r + block)] = static_cast<uint8_t>(kE8m0Bias + powers[static_cast<size_t>(block)]);
    }
  }
  return input_of(std::move(m), std::move(name));
}

// A tie between two FP32 numbers but for 2^-d, wherever that lies.
mx_input broken_ties() {
  return rows_of_powers(102, "1, 0, 2^-24, 2^-d", [](int r) { return std::array{0, 0, -24, -25 - r}; });
}

// An accumulator from just below the rest to where it is lost.
mx_input sinking_accumulators() {
  return rows_of_powers(102, "2^-d, 0, 1, 2^-24", [](int r) { return std::array{-r, 0, 0, -24}; });
}

// Every choice of signs for the blocks of the other operand.
mx_input block_signs() {
  mx_matrix m(16, 4 * kBlockSize);
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t block = 0; block < 4; ++block) {
      m.codes[static_cast<size_t>((r * 4 + block) * kBlockBytes)] = (r >> block & 1) != 0 ? kMinusOne : kOne;
      m.scales[static_cast<size_t>(4 * r + block)] = kE8m0Bias;
    }
  return input_of(std::move(m), "signs");
}

using codes_maker = mx_input (*)();
constexpr std::array<std::pair<const char*, codes_maker>, 2> kPowers{
    {{"broken-ties", broken_ties}, {"sinking-accumulators", sinking_accumulators}}};

void add_powers(any_adder& adder) {
  for (const char* model : kMxModels)
    for (const auto& [what, make] : kPowers) {
      const std::string rules = fmt::format("gemm_model={}", model);
      adder.add(stage::edge_mx_gemm, what, "102x128x16", rules, [=, make = make](const context&) -> result<call> {
        return mx_gemm_call(parse_policy(rules, default_policy()).value(), make(), block_signs(), ADAHOP_F32, false);
      });
    }
}

// Two blocks around the limit of the certificate: 0.5 * 0.5 * 2^x, whose field exponent lies two above its own, and 1 or
// 32 times 1.5, of which an alignment loses a part each.
mx_input around_certificate() {
  constexpr int kFirst = 18, kRows = 12;
  mx_matrix m(2 * kRows, 2 * kBlockSize);
  for (int64_t r = 0; r < m.outer; ++r) {
    uint8_t* codes = m.codes.data() + r * 2 * kBlockBytes;
    codes[0] = kHalf;
    codes[kBlockBytes] = kOne;
    if (r >= kRows) std::fill_n(codes + kBlockBytes, kBlockBytes, static_cast<uint8_t>(kOneAndHalf << 4 | kOneAndHalf));
    m.scales[static_cast<size_t>(2 * r)] = static_cast<uint8_t>(kE8m0Bias + kFirst + r % kRows);
    m.scales[static_cast<size_t>(2 * r + 1)] = kE8m0Bias;
  }
  return input_of(std::move(m), "2^x beside 1, or beside 32 times 1.5");
}

// 0.5 and 31 ones, then ones; and the same with the second block negative.
mx_input half_and_ones() {
  mx_matrix m(2, 2 * kBlockSize);
  for (int64_t r = 0; r < 2; ++r) {
    uint8_t* codes = m.codes.data() + r * 2 * kBlockBytes;
    std::fill_n(codes, kBlockBytes, static_cast<uint8_t>(kOne << 4 | kOne));
    codes[0] = static_cast<uint8_t>(kOne << 4 | kHalf);
    const uint8_t second = r == 0 ? kOne : kMinusOne;
    std::fill_n(codes + kBlockBytes, kBlockBytes, static_cast<uint8_t>(second << 4 | second));
    std::fill_n(m.scales.begin() + 2 * r, 2, static_cast<uint8_t>(kE8m0Bias));
  }
  return input_of(std::move(m), "0.5 and ones");
}

// Certified, the outputs differ from those of some model; with a smaller bound, they exceed it.
void add_around_certificate(any_adder& adder) {
  for (const char* model : kMfmaModels)
    adder
        .add(stage::native_mx_gemm, "around-certificate", "24x64x2", fmt::format("mfma_model={}", model),
             [](const context& ctx) -> result<call> {
               const call c = mx_gemm_call(default_policy(), around_certificate(), half_and_ones(), ADAHOP_F32, false);
               return in_native_mode(ctx, c, &c);
             })
        .option = backend_option{"mfma_model", model, "mfma_fused"};
}

// Models whose groups fit into either matrix instruction, so that its tile does not matter.
constexpr std::array kFollowed{"mfma_seq",          "cdna3_trfdpa(16)",    "cdna3_trfdpa(32)",
                               "cdna3_trfdpa(64)",  "cdna3_gtrfdpa(16)",   "cdna3_gtrfdpa(32)",
                               "cdna3_gtrfdpa(64)", "block_first_fdpa(1)", "block_first_fdpa(2)"};

struct byte_window {
  const char* name;
  int low, high, nan_every;
};
constexpr std::array<byte_window, 5> kWindows{{{"close-exponents", 120, 134, 0},
                                               {"mixed-exponents", 90, 165, 40},
                                               {"overflow", 182, 192, 0},
                                               {"underflow", 40, 66, 0},
                                               {"tiny", 0, 20, 0}}};

// `c` in mode native, each output to be the reference's under gemm_model `model`.
result<call> following(const context& ctx, call c, const char* model) {
  call in_model = c;
  in_model.rules = parse_policy(fmt::format("gemm_model={}", model), c.rules).value();
  ADAHOP_ASSIGN(ran, run_reference(ctx, in_model));
  const guarded_array& out = output_of(*ran, "out");
  auto facts = std::make_shared<native_facts>();
  facts->followed = model;
  facts->exact = matrix<float>(out.spec().rows, out.spec().cols);
  for (int64_t r = 0; r < out.spec().rows; ++r)
    for (int64_t n = 0; n < out.spec().cols; ++n) facts->exact.at(r, n) = float_of(static_cast<uint32_t>(out.bits(r, n)));
  c.native = std::move(facts);
  return c;
}

// K is made of whole instructions: the zero blocks that fill one up would turn an accumulator of -0 into +0 (SPEC 10.5).
void add_followed_models(any_adder& adder) {
  constexpr int64_t kLength = 256;
  for (const char* model : kFollowed) {
    const std::string rules = fmt::format("mfma_model={}", model);
    const backend_option option{"mfma_model", model, "mfma_fused"};
    for (const byte_window& w : kWindows)
      adder
          .add(stage::native_mx_gemm, fmt::format("followed.{}", w.name), "24x256x21", rules,
               [=](const context& ctx) -> result<call> {
                 const mx_input a = random_codes(ctx.seed, "a", 24, kLength, w.low, w.high, w.nan_every);
                 const mx_input b = random_codes(ctx.seed, "b", 21, kLength, w.low, w.high, w.nan_every);
                 return following(ctx, mx_gemm_call(default_policy(), a, b, ADAHOP_F32, false), model);
               })
          .option = option;
    for (const auto& [what, make] : kPowers)
      adder
          .add(stage::native_mx_gemm, fmt::format("followed.{}", what), "102x128x16", rules,
               [=, make = make](const context& ctx) -> result<call> {
                 return following(ctx, mx_gemm_call(default_policy(), make(), block_signs(), ADAHOP_F32, false), model);
               })
          .option = option;
    // No sum is -0 here, so that K need not fill the instruction.
    adder
        .add(stage::native_mx_gemm, "followed.around-certificate", "24x64x2", rules,
             [=](const context& ctx) -> result<call> {
               const call c = mx_gemm_call(default_policy(), around_certificate(), half_and_ones(), ADAHOP_F32, false);
               return following(ctx, c, model);
             })
        .option = option;
  }
}

// Elements below 1 whose fraction and random word, 22 bits of each, add up to one less than a step of the grid, exactly
// or with half a unit of the fraction, which is dropped, or to the whole step; 4 in front of a block makes its scale 1.
std::shared_ptr<const tensor> edges_of_words(const policy& p, int64_t rows, int64_t inner) {
  constexpr uint32_t kFractions = 1u << 22;
  auto t = std::make_shared<tensor>(ADAHOP_F32, rows, inner, inner);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < inner; ++c) {
      const auto index = static_cast<uint32_t>(r * inner + c);
      const bool gfx950 = p.element_rounding == ADAHOP_ROUND_GFX950_SR;
      uint32_t word = philox4x32_10(p.sr_seed, {{gfx950 ? index / 2 : index, 0, 0, gfx950 ? 2u : 0u}}).word[0];
      if (gfx950 && index % 2 == 1) word = word << 1 ^ (word >> 31 != 0 ? 197u : 0u);
      // Under gfx950_sr the sum of both carries; under stochastic the fraction is above the word.
      const uint32_t top = word >> 10, fraction = gfx950 ? kFractions - 1 - top : top;
      const uint32_t units = (1u << 23) + 2 * fraction + index % 3;  // of 2^-24
      const float v = std::ldexp(static_cast<float>(units), -24);
      t->set_bits(r, c, bits_of(c % kBlockSize == 0 ? 4.0f : r % 2 == 0 ? v : -v));
    }
  return t;
}

void add_edges_of_words(any_adder& adder) {
  for (const char* rounding : {"gfx950_sr(11)", "stochastic(22,11,0)"}) {
    const std::string rules = fmt::format("scale_rule=floor,element_rounding={}", rounding);
    adder.add(stage::quantize, "edges-of-words", "10x96", rules, [=](const context&) -> result<call> {
      const policy p = parse_policy(rules, default_policy()).value();
      return quantize_call(p, input_of("x", edges_of_words(p, 10, 96)));
    });
  }
}

// Each pair of these is one product among ones, in the first or in the last place of 11.
constexpr std::array<uint32_t, 9> kSpecials{0x00000000u, 0x80000000u, 0x3F800000u, 0xBF800000u, 0x00010000u,
                                            0x7F7F0000u, 0x7F800000u, 0xFF800000u, 0x7FC00000u};

std::shared_ptr<const tensor> specials_among_ones(int64_t at, int64_t length) {
  const auto rows = static_cast<int64_t>(kSpecials.size());
  auto t = std::make_shared<tensor>(ADAHOP_BF16, rows, length, length);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < length; ++c) t->set_bits(r, c, c == at ? kSpecials[static_cast<size_t>(r)] : 0x3F800000u);
  return t;
}

void add_special_products(any_adder& adder) {
  constexpr int64_t kLength = 11;
  for (const char* model : kBf16Models) {
    const std::string rules = fmt::format("bf16_gemm_model={}", model);
    const policy p = parse_policy(rules, default_policy()).value();
    for (const int64_t at : {int64_t{0}, kLength - 1})
      adder.add(stage::edge_bf16_gemm, fmt::format("specials-at-{}", at), "9x11x9", rules,
                [=](const context&) -> result<call> {
                  const auto t = specials_among_ones(at, kLength);
                  return bf16_gemm_call(p, input_of("a", t), input_of("b", t), ADAHOP_F32, false);
                });
  }
}

}  // namespace

void add_mutant_reference_cases(case_list& out) {
  any_adder adder(out);
  add_two_verdicts(adder);
  add_powers(adder);
  add_around_certificate(adder);
  add_followed_models(adder);
  add_edges_of_words(adder);
  add_special_products(adder);
}

}  // namespace adahop::conformance
