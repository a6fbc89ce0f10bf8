// What no other case showed of a fault in a kernel: a mutant of fuzz/mutants/kernels survived without it. Several
// non-finite elements in one block, elements far below their scale under random rounding, signs of long rows, verdicts
// exactly at the ratio, a -0 that the last step of a product leaves; tensors without elements, outputs that the caller
// leaves out, a workspace for each operation, arguments that must be refused. Implements the suite's side of SPEC 3.4, 5.9,
// 5.15, 5.19, 5.21, 6.10, 6.11, 7.6, 9.5, 10.9, 11.7, 13.3.
#include <fmt/format.h>

#include <cmath>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

view_input matrix_of(const context& ctx, int64_t rows, int64_t cols, adahop_dtype dtype) {
  return input_of("x", generate({source::uniform, rows, cols, ADAHOP_PATTERN_NONE, dtype, false}, ctx.seed, "x"));
}

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

// Signs past the first 256 elements of a row.
void add_long_signs(any_adder& adder) {
  for (const char* rules : {"hadamard_signs=random(9)", "hadamard_size=16,hadamard_signs=random(10)"}) {
    const policy p = parse_policy(rules, default_policy()).value();
    adder.add(stage::hadamard, "long-rows.f32", "3x544", rules, [p](const context& ctx) -> result<call> {
      return hadamard_call(p, matrix_of(ctx, 3, 544, ADAHOP_F32), false);
    });
  }
}

// What a verdict divides (SPEC 7.6), of a tensor with the pattern row or column.
struct measured {
  view_input x;
  double dividend, divisor;
};

// One whose rounded quotient times the divisor is below the dividend: there a verdict by multiplication differs.
result<measured> measured_tensor(const context& ctx, bool row) {
  const adahop_pattern pattern = row ? ADAHOP_PATTERN_ROW : ADAHOP_PATTERN_COLUMN;
  constexpr int kTries = 64;
  for (int i = 0; i < kTries; ++i) {
    const std::string name = fmt::format("x{}", i);
    const view_input x = input_of(name, generate({source::uniform, 64, 96, pattern, ADAHOP_BF16, false}, ctx.seed, name));
    ADAHOP_ASSIGN(statistics, run_reference(ctx, pattern_call(default_policy(), x)));
    const auto* const cv = static_cast<const double*>(output_of(*statistics, "cv").data());
    const double dividend = cv[row ? 0 : 1], divisor = cv[row ? 1 : 0] + default_policy().pattern_eps;
    if (dividend / divisor * divisor < dividend) return measured{x, dividend, divisor};
  }
  return status(ADAHOP_INTERNAL, fmt::format("the quotients of {} tensors are all exact or rounded up", kTries));
}

// Its ratio is the quotient itself: no pattern, for the quotient must be above it; and the number below that.
void add_ratio_edges(any_adder& adder) {
  for (const bool row : {true, false})
    for (const bool below : {false, true})
      adder.add(stage::edge_pattern, row ? "row" : "column", "64x96",
                below ? "pattern_ratio=below-the-quotient" : "pattern_ratio=the-quotient",
                [=](const context& ctx) -> result<call> {
                  ADAHOP_ASSIGN(edge, measured_tensor(ctx, row));
                  const double quotient = edge.dividend / edge.divisor;
                  policy p = default_policy();
                  p.pattern_ratio = below ? std::nextafter(quotient, 0.0) : quotient;
                  return pattern_call(p, edge.x);
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

void add_empty_tensors(any_adder& adder) {
  for (const product_shape& s : {product_shape{0, 64, 0}, product_shape{3, 0, 0}})
    for (const bool transform : {false, true})
      adder.add(transform ? stage::hadamard_quantize : stage::quantize, "empty", fmt::format("{}x{}", s.m, s.k), "default",
                [=](const context& ctx) -> result<call> {
                  const view_input x = matrix_of(ctx, s.m, s.k, ADAHOP_F32);
                  if (!transform) return quantize_call(default_policy(), x);
                  return hadamard_quantize_call(default_policy(), x, no_indices("zeroed"));
                });
}

using arrays = std::vector<guarded_array>;

const adahop_view& first_view(const call& c) { return std::get<view_input>(c.inputs[0]).view; }

// The outputs that the C ABI lets a caller leave out are null, the others are as ever.
void add_optional_outputs(any_adder& adder) {
  adder.add(stage::edge_foid, "without-scores", "70x64", "oe_k=4", [](const context& ctx) -> result<call> {
    const policy p = parse_policy("oe_k=4", default_policy()).value();
    call c = select_outliers_call(p, matrix_of(ctx, 70, 64, ADAHOP_BF16));
    c.outputs = {{"count", element::i64}, {"indices", element::i32, 1, 4}};
    c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, arrays& out) {
      const adahop_select_outliers_args args{&self.rules, first_view(self), nullptr, static_cast<int32_t*>(out[1].data()),
                                             static_cast<int64_t*>(out[0].data())};
      return backend.select_outliers(&exec, &args);
    };
    return c;
  });
  adder.add(stage::edge_pattern, "without-variances", "70x64", "default", [](const context& ctx) -> result<call> {
    call c = pattern_call(default_policy(), matrix_of(ctx, 70, 64, ADAHOP_BF16));
    c.outputs = {{"cv", element::f64, 1, 2, false, {"cv_row", "cv_col"}}, {"verdict", element::i32}};
    c.invoke = [](const call& self, const adahop_backend& backend, const adahop_exec& exec, arrays& out) {
      adahop_pattern_result result{-1, 0, -1.0, -1.0};
      const adahop_pattern_args args{&self.rules, first_view(self), nullptr, nullptr, &result};
      const int32_t code = backend.pattern(&exec, &args);
      static_cast<double*>(out[0].data())[0] = result.cv_row;
      static_cast<double*>(out[0].data())[1] = result.cv_col;
      *static_cast<int32_t*>(out[1].data()) = result.pattern;
      return code;
    };
    return c;
  });
}

// Device memory, and a workspace of the size that the query names for each operation that takes memory of its own.
void add_operation_workspaces(any_adder& adder) {
  const auto add = [&](const char* what, const char* rules, const std::function<call(const context&, const policy&)>& make) {
    adder.add(stage::workspace, what, "37x544", rules, [=](const context& ctx) -> result<call> {
      call c = make(ctx, parse_policy(rules, default_policy()).value());
      c.memory = ADAHOP_MEMORY_DEVICE;
      c.with_workspace = true;
      return c;
    });
  };
  const auto x = [](const context& ctx) { return matrix_of(ctx, 37, 544, ADAHOP_BF16); };
  add("quantize", "scale_rule=floor", [=](const context& ctx, const policy& p) { return quantize_call(p, x(ctx)); });
  add("hadamard", "hadamard_signs=random(1)",
      [=](const context& ctx, const policy& p) { return hadamard_call(p, x(ctx), false); });
  add("hadamard-quantize", "hadamard_signs=random(1)", [=](const context& ctx, const policy& p) {
    return hadamard_quantize_call(p, x(ctx), indices_of("zeroed", {0, 36}));
  });
  add("pattern", "pattern_ratio=2", [=](const context& ctx, const policy& p) { return pattern_call(p, x(ctx)); });
  add("foid", "oe_k=4", [=](const context& ctx, const policy& p) { return select_outliers_call(p, x(ctx)); });
}

call matmul_of(const context& ctx, const policy& p, const product_shape& s, adahop_dtype b_type, int right_pattern) {
  return matmul_call(p, {1, ADAHOP_PATTERN_NONE, static_cast<adahop_pattern>(right_pattern), ADAHOP_PATH_FORWARD},
                     matrix_of(ctx, s.m, s.k, ADAHOP_BF16), matrix_of(ctx, s.n, s.k, b_type), false);
}

void add_refused_arguments(any_adder& adder) {
  const auto refuse = [&](const char* what, const char* shape, const char* rules,
                          const std::function<call(const context&, const policy&)>& make) {
    adder.add(stage::errors, what, shape, rules, [=](const context& ctx) -> result<call> {
      call c = make(ctx, parse_policy(rules, default_policy()).value());
      c.expected = ADAHOP_INVALID_ARGUMENT;
      return c;
    });
  };
  // K of three blocks, where the transform takes two at a time.
  refuse("matmul-inner-96", "4x96x5", "hadamard_size=64", [](const context& ctx, const policy& p) {
    return matmul_of(ctx, p, {4, 96, 5}, ADAHOP_BF16, ADAHOP_PATTERN_NONE);
  });
  refuse("matmul-f32-operand", "4x64x5", "oe_k=1", [](const context& ctx, const policy& p) {
    return matmul_of(ctx, p, {4, 64, 5}, ADAHOP_F32, ADAHOP_PATTERN_NONE);
  });
  refuse("matmul-unknown-pattern", "4x64x5", "oe_k=1", [](const context& ctx, const policy& p) {
    return matmul_of(ctx, p, {4, 64, 5}, ADAHOP_BF16, ADAHOP_PATTERN_COLUMN + 1);
  });
  refuse("hadamard-output-type", "4x64", "hadamard_output=bf16", [](const context& ctx, const policy& p) {
    call c = hadamard_call(p, matrix_of(ctx, 4, 64, ADAHOP_F32), false);
    c.outputs[0].kind = element::f32;
    return c;
  });
  refuse("extract-f32", "4x64", "oe_k=1", [](const context& ctx, const policy& p) {
    return extract_outliers_call(p, matrix_of(ctx, 4, 64, ADAHOP_F32), indices_of("indices", {1}));
  });
  refuse("mx-gemm-output-rows", "4x64x5", "oe_k=1", [](const context& ctx, const policy& p) {
    const mx_input a = random_codes(ctx.seed, "a", 4, 64, 127, 127, 0), b = random_codes(ctx.seed, "b", 5, 64, 127, 127, 0);
    call c = mx_gemm_call(p, a, b, ADAHOP_F32, false);
    c.outputs[0].rows = 3;
    return c;
  });
}

}  // namespace

void add_mutant_kernel_cases(case_list& out) {
  any_adder adder(out);
  add_nonfinite_blocks(adder);
  add_random_ladders(adder);
  add_long_signs(adder);
  add_ratio_edges(adder);
  add_last_step_underflows(adder);
  add_empty_tensors(adder);
  add_optional_outputs(adder);
  add_operation_workspaces(adder);
  add_refused_arguments(adder);
}

}  // namespace adahop::conformance
