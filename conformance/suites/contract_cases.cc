// What a backend owes its caller beside the numbers: the caller's workspace, refused arguments, refused policies.
// Implements the suite's side of SPEC 1.7, 3.4, 13.3.
#include <fmt/format.h>

#include "adahop/tensor.h"
#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

view_input matrix_of(const context& ctx, int64_t rows, int64_t cols) {
  return input_of("x", generate({source::uniform, rows, cols, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "x"));
}

void add_workspace_cases(any_adder& adder) {
  for (const pattern_pair pair : kAllPairs)
    for (const int level : {1, 2}) {
      const std::string source = fmt::format("{}{}.level{}", letter(pair.left), letter(pair.right), level);
      adder.add(stage::workspace, source, "72x96x80", "oe_k=8", [=](const context& ctx) -> result<call> {
        const operands o = synthetic_operands(source::spread, {72, 96, 80}, pair, ADAHOP_PATH_FORWARD, ctx.seed, false);
        call c = matmul_call(parse_policy("oe_k=8", default_policy()).value(),
                             {level, pair.left, pair.right, ADAHOP_PATH_FORWARD}, o.a, o.b, false);
        c.with_workspace = true;
        return c;
      });
    }
}

// Calls with one thing wrong; each must return ADAHOP_INVALID_ARGUMENT.
using make_bad = std::function<call(const context&)>;

std::vector<std::pair<std::string, make_bad>> bad_calls() {
  const auto broken = [](const std::function<void(adahop_view&)>& breakage) {
    return [breakage](const context& ctx) {
      call c = quantize_call(default_policy(), matrix_of(ctx, 4, 64));
      breakage(std::get<view_input>(c.inputs[0]).view);
      return c;
    };
  };
  const auto zeroing = [](std::vector<int32_t> rows) {
    return [rows](const context& ctx) {
      return hadamard_quantize_call(default_policy(), matrix_of(ctx, 4, 64), indices_of("zeroed", rows));
    };
  };
  const auto gathering = [](std::vector<int32_t> rows) {
    return [rows](const context& ctx) {
      return extract_outliers_call(default_policy(), matrix_of(ctx, 4, 64), indices_of("indices", rows));
    };
  };
  const auto multiplying = [](int level, int64_t a_inner, int64_t b_inner) {
    return [=](const context& ctx) {
      return matmul_call(default_policy(), {level, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD},
                         matrix_of(ctx, 4, a_inner), matrix_of(ctx, 5, b_inner), false);
    };
  };
  return {
      {"quantize-null-data", broken([](adahop_view& v) { v.data = nullptr; })},
      {"quantize-negative-rows", broken([](adahop_view& v) { v.rows = -1; })},
      {"quantize-zero-stride", broken([](adahop_view& v) { v.row_stride = 0; })},
      {"quantize-unknown-dtype", broken([](adahop_view& v) { v.dtype = 7; })},
      {"quantize-inner-48", broken([](adahop_view& v) { v.cols = 48; })},
      {"quantize-rows-do-not-fit", broken([](adahop_view& v) { v.rows = 3; })},
      {"zeroed-out-of-range", zeroing({1, 4})},
      {"zeroed-negative", zeroing({-1})},
      {"zeroed-repeated", zeroing({2, 2})},
      {"zeroed-descending", zeroing({2, 1})},
      {"extract-out-of-range", gathering({0, 4})},
      {"matmul-level-0", multiplying(0, 64, 64)},
      {"matmul-level-3", multiplying(3, 64, 64)},
      {"matmul-inner-differs", multiplying(1, 64, 96)},
      {"matmul-inner-48", multiplying(1, 48, 48)},
      {"matmul-inner-0", multiplying(1, 0, 0)},
      {"mx-gemm-inner-differs",
       [](const context& ctx) {
         return mx_gemm_call(default_policy(), random_codes(ctx.seed, "a", 4, 64, 127, 127, 0),
                             random_codes(ctx.seed, "b", 4, 32, 127, 127, 0), ADAHOP_F32, false);
       }},
      {"scatter-index-out-of-range",
       [](const context& ctx) {
         const auto c = generate({source::uniform, 4, 6, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "c");
         const auto o = generate({source::uniform, 1, 6, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "o");
         return scatter_add_call(default_policy(), input_of("c", c), input_of("outlier", o), indices_of("indices", {4}),
                                 ADAHOP_SIDE_LEFT, ADAHOP_F32, false);
       }},
  };
}

void add_refused_policies(any_adder& adder) {
  for (const char* rules : {"gemm_model=exact_sum", "gemm_model=mfma_fused(4)", "bf16_gemm_model=exact_sum",
                            "element_rounding=stochastic(8,1,0)", "hadamard_size=64", "hadamard_signs=random(1)",
                            "nibble_order=ggml_split", "scale_layout=gfx950_shuffle", "pad=zero"})
    adder.add(stage::errors, "unclaimed-policy", "4x64x5", rules, [rules](const context& ctx) -> result<call> {
      auto p = parse_policy(rules, default_policy());
      if (!p.ok()) return p.why();
      call c = matmul_call(p.value(), {1, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATH_FORWARD},
                           matrix_of(ctx, 4, 64), matrix_of(ctx, 5, 64), false);
      c.refused_if_unclaimed = true;
      return c;
    });
}

}  // namespace

void add_contract_cases(case_list& out) {
  any_adder adder(out);
  add_workspace_cases(adder);
  for (const auto& [what, make] : bad_calls())
    adder.add(stage::errors, what, "4x64", "default", [make = make](const context& ctx) -> result<call> {
      call c = make(ctx);
      c.expected = ADAHOP_INVALID_ARGUMENT;
      return c;
    });
  add_refused_policies(adder);
}

}  // namespace adahop::conformance
