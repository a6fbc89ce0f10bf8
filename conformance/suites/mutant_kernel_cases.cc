// What no other case showed of a fault in a kernel: a mutant of fuzz/mutants/kernels survived without it. Several
// non-finite elements in one block, elements far below their scale under random rounding, verdicts exactly at the ratio, a
// -0 that the last step of a product leaves, a K that holds blocks but no whole transforms. Implements the suite's side of
// SPEC 5.15, 5.19, 5.21, 6.10, 7.6, 10.9.
#include <fmt/format.h>

#include <cmath>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

// Row 1 has NaN and Inf at columns 40, 41 and 63, all in its second block, so that the first of the block counts.
std::shared_ptr<const tensor> three_in_a_block(const context& ctx) {
  const auto finite = generate({source::uniform, 3, 96, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "x");
  auto t = std::make_shared<tensor>(*finite);
  t->set_bits(1, 40, 0xFF800000u);
  t->set_bits(1, 41, 0x7FC00000u);
  t->set_bits(1, 63, 0x7F800000u);
  return t;
}

void add_nonfinite_blocks(any_adder& adder) {
  for (const char* rules : {"nonfinite=block_nan", "nonfinite=reject"}) {
    const policy p = parse_policy(rules, default_policy()).value();
    const adahop_status expected = p.nonfinite == ADAHOP_NONFINITE_REJECT ? ADAHOP_NONFINITE : ADAHOP_OK;
    adder.add(stage::quantize, "three-nonfinite-in-a-block", "3x96", rules, [=](const context& ctx) -> result<call> {
      call c = quantize_call(p, input_of("x", three_in_a_block(ctx)));
      c.expected = expected;
      return c;
    });
  }
}

// Blocks that hold an amax of every exponent beside the smallest subnormal: elements down to 2^-278 of the scale.
void add_random_ladders(any_adder& adder) {
  for (const char* rules : {"element_rounding=stochastic(8,2,100)", "element_rounding=stochastic(32,4,0)",
                            "element_rounding=gfx950_sr(1)"})
    adder.add(stage::quantize, "amax-ladder", "255x320", rules, [rules](const context&) -> result<call> {
      return quantize_call(parse_policy(rules, default_policy()).value(), input_of("x", amax_ladder()));
    });
}

// The statistics of a tensor with one of the patterns, judged with the ratio that they have: no pattern, for the quotient
// must be above it; and with the number below that ratio.
void add_ratio_edges(any_adder& adder) {
  for (const bool row : {true, false})
    for (const bool below : {false, true})
      adder.add(stage::edge_pattern, row ? "row" : "column", "64x96",
                below ? "pattern_ratio=below-the-quotient" : "pattern_ratio=the-quotient",
                [=](const context& ctx) -> result<call> {
                  const adahop_pattern pattern = row ? ADAHOP_PATTERN_ROW : ADAHOP_PATTERN_COLUMN;
                  const view_input x =
                      input_of("x", generate({source::uniform, 64, 96, pattern, ADAHOP_BF16, false}, ctx.seed, "x"));
                  policy p = default_policy();
                  ADAHOP_ASSIGN(statistics, run_reference(ctx, pattern_call(p, x)));
                  const auto* const cv = static_cast<const double*>(output_of(*statistics, "cv").data());
                  const double quotient = cv[row ? 0 : 1] / (cv[row ? 1 : 0] + p.pattern_eps);
                  p.pattern_ratio = below ? std::nextafter(quotient, 0.0) : quotient;
                  return pattern_call(p, x);
                });
}

// One tiny product, negative for odd rows, in the last of K steps: it rounds to a zero that keeps its sign, and nothing
// may be added to that.
void add_last_step_underflows(any_adder& adder) {
  for (const int64_t k : {1, 15, 16, 17, 33})
    adder.add(stage::edge_bf16_gemm, "last-step-underflows.f32", fmt::format("2x{}x2", k), "default",
              [=](const context&) -> result<call> {
                auto a = std::make_shared<tensor>(ADAHOP_BF16, 2, k, k);
                auto b = std::make_shared<tensor>(ADAHOP_BF16, 2, k, k);
                for (int64_t r = 0; r < 2; ++r)
                  for (int64_t c = 0; c < k; ++c) {
                    const bool last = c == k - 1;
                    a->set_bits(r, c, !last ? 0u : r == 0 ? 0x0D800000u : 0x8D800000u);  // +-2^-100
                    b->set_bits(r, c, last ? 0x0D800000u : 0u);
                  }
                return bf16_gemm_call(default_policy(), input_of("a", a), input_of("b", b), ADAHOP_F32, false);
              });
}

// K of three blocks, where the transform takes two at a time.
void add_half_transform(any_adder& adder) {
  adder.add(stage::errors, "matmul-inner-96", "4x96x5", "hadamard_size=64", [](const context& ctx) -> result<call> {
    const operands o = synthetic_operands(source::uniform, {4, 96, 5}, kAllPairs[0], ADAHOP_PATH_FORWARD, ctx.seed, false);
    call c = matmul_call(parse_policy("hadamard_size=64", default_policy()).value(),
                         {1, kAllPairs[0].left, kAllPairs[0].right, ADAHOP_PATH_FORWARD}, o.a, o.b, false);
    c.expected = ADAHOP_INVALID_ARGUMENT;
    return c;
  });
}

}  // namespace

void add_mutant_kernel_cases(case_list& out) {
  any_adder adder(out);
  add_nonfinite_blocks(adder);
  add_random_ladders(adder);
  add_ratio_edges(adder);
  add_last_step_underflows(adder);
  add_half_transform(adder);
}

}  // namespace adahop::conformance
