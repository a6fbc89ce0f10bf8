// Each operation with views, codes, scales and index arrays in device memory, on a stream of its own or the default one.
// Implements the suite's side of SPEC 13.7.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/pair_cases.h"

namespace adahop::conformance {
namespace {

call on_device(call c, bool default_stream = false) {
  c.memory = ADAHOP_MEMORY_DEVICE;
  c.default_stream = default_stream;
  return c;
}

view_input pitched_matrix(const context& ctx, const char* name, int64_t rows, int64_t cols, adahop_dtype dtype) {
  return input_of(name, generate({source::spread, rows, cols, ADAHOP_PATTERN_NONE, dtype, true}, ctx.seed, name));
}

using make_call = std::function<result<call>(const context&, const policy&)>;

std::vector<std::pair<std::string, make_call>> operations() {
  const auto x = [](const context& ctx) { return pitched_matrix(ctx, "x", 37, 96, ADAHOP_BF16); };
  const auto codes = [](const context& ctx, const policy& p, const char* name, int64_t rows) {
    return reference_codes(ctx, quantize_call(p, pitched_matrix(ctx, name, rows, 96, ADAHOP_BF16)), name);
  };
  return {
      {"quantize", [=](const context& ctx, const policy& p) -> result<call> { return quantize_call(p, x(ctx)); }},
      {"dequantize",
       [=](const context& ctx, const policy& p) -> result<call> {
         auto in = codes(ctx, p, "x", 37);
         if (!in.ok()) return in.why();
         return dequantize_call(p, std::move(in).value(), ADAHOP_F32, true);
       }},
      {"hadamard", [=](const context& ctx, const policy& p) -> result<call> { return hadamard_call(p, x(ctx), true); }},
      {"hadamard-quantize",
       [=](const context& ctx, const policy& p) -> result<call> {
         return hadamard_quantize_call(p, x(ctx), indices_of("zeroed", {0, 5, 36}));
       }},
      {"pattern", [=](const context& ctx, const policy& p) -> result<call> { return pattern_call(p, x(ctx)); }},
      {"foid", [=](const context& ctx, const policy& p) -> result<call> { return select_outliers_call(p, x(ctx)); }},
      {"extract",
       [=](const context& ctx, const policy& p) -> result<call> {
         return extract_outliers_call(p, x(ctx), indices_of("indices", {1, 7, 36}));
       }},
      {"mx-gemm",
       [=](const context& ctx, const policy& p) -> result<call> {
         auto a = codes(ctx, p, "a", 37), b = codes(ctx, p, "b", 21);
         if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
         return mx_gemm_call(p, std::move(a).value(), std::move(b).value(), ADAHOP_F32, true);
       }},
      {"bf16-gemm",
       [=](const context& ctx, const policy& p) -> result<call> {
         return bf16_gemm_call(p, x(ctx), pitched_matrix(ctx, "b", 21, 96, ADAHOP_BF16), ADAHOP_BF16, true);
       }},
      {"scatter-add",
       [](const context& ctx, const policy& p) -> result<call> {
         return scatter_add_call(p, pitched_matrix(ctx, "c", 37, 21, ADAHOP_F32),
                                 pitched_matrix(ctx, "outlier", 3, 21, ADAHOP_F32), indices_of("indices", {1, 7, 36}),
                                 ADAHOP_SIDE_LEFT, ADAHOP_BF16, false);
       }},
  };
}

}  // namespace

void add_device_memory_cases(case_list& out) {
  any_adder adder(out);
  for (const char* rules : {"oe_k=8", "oe_k=8,scale_layout=gfx950_shuffle"}) {
    const policy p = parse_policy(rules, default_policy()).value();
    for (const auto& [what, make] : operations())
      adder.add(stage::device_memory, what, "37x96", rules, [p, make = make](const context& ctx) -> result<call> {
        auto c = make(ctx, p);
        if (!c.ok()) return c.why();
        return on_device(std::move(c).value());
      });
    for (const pattern_pair pair : kAllPairs)
      for (const int level : {1, 2}) {
        const std::string source = fmt::format("{}{}.level{}", letter(pair.left), letter(pair.right), level);
        adder.add(stage::device_memory, source, "40x96x48", rules, [=](const context& ctx) -> result<call> {
          const operands o =
              synthetic_operands(source::spread, {40, 96, 48}, pair, ADAHOP_PATH_FORWARD, ctx.seed, true);
          call c = matmul_call(p, {level, pair.left, pair.right, ADAHOP_PATH_FORWARD}, o.a, o.b, level == 2);
          c.with_workspace = level == 2;
          return on_device(std::move(c), pair.left == ADAHOP_PATTERN_NONE);
        });
      }
  }
}

}  // namespace adahop::conformance
