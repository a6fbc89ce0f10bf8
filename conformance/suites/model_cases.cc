// Accumulation models by themselves, on codes and tensors where they part. Implements the suite's side of SPEC 10.11-10.19.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/models.h"

namespace adahop::conformance {
namespace {

struct byte_window {
  const char* name;
  int low, high, nan_every;
};
constexpr std::array<byte_window, 4> kWindows{
    {{"close-exponents", 120, 134, 0}, {"mixed-exponents", 90, 165, 0}, {"overflow", 182, 192, 0}, {"underflow", 40, 66, 30}}};

}  // namespace

void add_model_cases(case_list& out) {
  any_adder adder(out);
  for (const char* model : kOtherMxModels)
    for (const byte_window& w : kWindows) {
      const std::string rules = fmt::format("gemm_model={}", model);
      adder.add(stage::edge_mx_gemm, w.name, "24x224x21", rules, [=](const context& ctx) -> result<call> {
        return mx_gemm_call(parse_policy(rules, default_policy()).value(),
                            random_codes(ctx.seed, "a", 24, 224, w.low, w.high, w.nan_every),
                            random_codes(ctx.seed, "b", 21, 224, w.low, w.high, w.nan_every), ADAHOP_F32, false);
      });
    }
  for (const char* model : kOtherBf16Models)
    for (const source what : {source::spread, source::subnormal, source::huge, source::nonfinite}) {
      const std::string rules = fmt::format("bf16_gemm_model={}", model);
      adder.add(stage::edge_bf16_gemm, std::string(source_name(what)), "17x100x33", rules,
                [=](const context& ctx) -> result<call> {
                  const auto a = generate({what, 17, 100, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "a");
                  const auto b = generate({what, 33, 100, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "b");
                  return bf16_gemm_call(parse_policy(rules, default_policy()).value(), input_of("a", a),
                                        input_of("b", b), ADAHOP_F32, false);
                });
    }
}

}  // namespace adahop::conformance
