// Every backend of this build against the reference, on random calls of each operation through the judge: bits, guards
// around outputs, untouched inputs, equal statuses. What is random: policy, shapes, strides, values, pair, path, level.
#include <fmt/format.h>

#include <algorithm>

#include "catch.h"
#include "conformance/suites/chain.h"
#include "product_backends.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;
namespace judging = adahop::conformance;

namespace {

// A tensor that the policy's transforms take.
tensor pick_operand(const policy& p, int32_t dtype) {
  tensor_choice choice;
  choice.dtype = dtype;
  choice.max_rows = 12;
  choice.nonfinite = pick_integer("with NaN and Inf", 0, 3) == 1;
  const int64_t unit = std::max<int64_t>(kBlockSize, p.hadamard_size);
  choice.min_cols = choice.col_multiple = p.pad == ADAHOP_PAD_ZERO ? 1 : unit;
  choice.max_cols = std::max<int64_t>(unit, 160);
  return pick_tensor("x", choice);
}

// Every field but the accumulation models: the kernels have the default ones alone, others are to be refused.
policy pick_any_policy() {
  policy_choice fields = policy_choice::all();
  fields.models = pick_integer("other models", 0, 7) == 1;
  return pick_policy("policy", fields);
}
// The models of a product are often the default ones.
void maybe_default_models(policy& p) {
  if (pick_integer("other models", 0, 7) == 1) return;
  p = policy_of("gemm_model=block_rne,bf16_gemm_model=seq_fma", p);
}
adahop_dtype pick_dtype(const char* name) {
  return static_cast<adahop_dtype>(pick_of(name, {ADAHOP_F32, ADAHOP_BF16}));
}
bool pick_flag(const char* name) { return pick_integer(name, 0, 1) == 1; }

// The reference's codes of `c`, in the layout of its policy; nothing where it refuses a NaN.
std::optional<judging::mx_input> codes_of(const judging::call& c) {
  judging::context ctx;
  ctx.reference = &the_reference();
  auto codes = judging::reference_codes(ctx, c, "codes");
  if (!codes.ok()) return std::nullopt;
  return std::move(codes).value();
}

}  // namespace

TEST_CASE("backends: quantize and dequantize", "[property][spec:1.1][spec:1.6][spec:5.10][spec:13.1]") {
  int judged = 0;
  check_property("backends: quantize, then dequantize", 300, [&] {
    const policy p = pick_any_policy();
    const tensor x = pick_operand(p, tensor_choice::kAnyDtype);
    judging::call c = judging::quantize_call(p, input_of("x", x));
    c.with_workspace = pick_flag("workspace");
    require_agreement(c, judged);
    if (const auto codes = codes_of(c))
      require_agreement(judging::dequantize_call(p, *codes, pick_dtype("type of out"), pick_flag("by columns"),
                                                 p.pad == ADAHOP_PAD_ZERO ? x.cols : -1), judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("backends: transforms", "[property][spec:1.1][spec:1.6][spec:6.7][spec:13.1]") {
  int judged = 0;
  check_property("backends: hadamard", 200, [&] {
    const policy p = pick_any_policy();
    require_agreement(
        judging::hadamard_call(p, input_of("x", pick_operand(p, tensor_choice::kAnyDtype)), pick_flag("by columns")),
        judged);
  });
  check_property("backends: hadamard_quantize", 250, [&] {
    const policy p = pick_any_policy();
    const tensor x = pick_operand(p, tensor_choice::kAnyDtype);
    require_agreement(
        judging::hadamard_quantize_call(p, input_of("x", x), input_of("zeroed", pick_subset("zeroed", x.rows, x.rows))),
        judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("backends: patterns and outliers", "[property][spec:1.1][spec:1.6][spec:7.6][spec:9.4][spec:13.1]") {
  int judged = 0;
  check_property("backends: pattern, select_outliers, extract_outliers", 150, [&] {
    const policy p = pick_any_policy();
    const tensor x = pick_operand(p, ADAHOP_BF16);
    require_agreement(judging::pattern_call(p, input_of("x", x)), judged);
    require_agreement(judging::select_outliers_call(p, input_of("x", x)), judged);
    require_agreement(
        judging::extract_outliers_call(p, input_of("x", x), input_of("rows", pick_subset("rows", x.rows, x.rows))),
        judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("backends: mx_gemm", "[property][spec:1.1][spec:1.6][spec:10.1][spec:10.11][spec:13.1]") {
  int judged = 0;
  check_property("backends: mx_gemm", 120, [&] {
    mx_product x = pick_mx_product("x", reach::wild);
    maybe_default_models(x.rules);
    require_agreement(judging::mx_gemm_call(x.rules, input_of("a", x.a), input_of("b", x.b), pick_dtype("type of out"),
                                            pick_flag("by columns")), judged);
  });
  check_property("backends: mx_gemm in the policy's scale layout", 80, [&] {
    policy p = pick_any_policy();
    p.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
    const tensor x = pick_operand(p, ADAHOP_BF16);
    const auto codes = codes_of(judging::quantize_call(p, input_of("x", x)));
    require(codes.has_value(), "no codes");
    require_agreement(judging::mx_gemm_call(p, *codes, *codes, ADAHOP_F32, false), judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("backends: bf16_gemm and scatter_add", "[property][spec:1.1][spec:1.6][spec:10.9][spec:10.10][spec:13.1]") {
  int judged = 0;
  check_property("backends: bf16_gemm", 250, [&] {
    bf16_product x = pick_bf16_product("x", reach::wild);
    maybe_default_models(x.rules);
    require_agreement(judging::bf16_gemm_call(x.rules, input_of("a", x.ab.a), input_of("b", x.ab.b), pick_dtype("type of out"),
                                              pick_flag("by columns")), judged);
  });
  check_property("backends: scatter_add", 250, [&] {
    tensor_choice choice;
    choice.dtype = ADAHOP_F32;
    choice.nonfinite = pick_flag("with NaN and Inf");
    choice.min_cols = choice.col_multiple = 1;
    choice.max_cols = 70;
    const tensor c = pick_tensor("c", choice);
    const bool left = pick_flag("rows");
    const std::vector<int32_t> at = pick_subset("indices", left ? c.rows : c.cols, 70);
    // Any tensor of the one shape that fits: c itself, a part of it.
    tensor part(ADAHOP_F32, left ? static_cast<int64_t>(at.size()) : c.rows, left ? c.cols : static_cast<int64_t>(at.size()));
    for (int64_t r = 0; r < part.rows; ++r)
      for (int64_t k = 0; k < part.cols; ++k) part.at(r, k) = c.at(c.rows - 1 - r, c.cols - 1 - k);
    const adahop_dtype dtype = pick_dtype("type of out");
    require_agreement(judging::scatter_add_call(default_policy(), input_of("c", c), input_of("outlier", part),
                                                input_of("at", at), left ? ADAHOP_SIDE_LEFT : ADAHOP_SIDE_RIGHT, dtype,
                                                dtype == ADAHOP_F32 && pick_flag("in place")),
                      judged);
  });
  CHECK(judged > 0);
}

TEST_CASE("backends: whole products", "[property][spec:1.1][spec:1.6][spec:8.4][spec:11.1][spec:13.1][spec:13.2][spec:13.3]") {
  int judged = 0;
  check_property("backends: matmul", 300, [&] {
    whole_product x = pick_whole_product("x", reach::wild);
    maybe_default_models(x.rules);
    judging::call c = judging::matmul_call(x.rules, {x.level, x.pair.left, x.pair.right, x.path}, input_of("a", x.ab.a),
                                           input_of("b", x.ab.b), pick_flag("by columns"));
    c.with_workspace = pick_flag("workspace");
    require_agreement(c, judged);
  });
  CHECK(judged > 0);
}
