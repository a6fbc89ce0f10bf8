// Quantize and dequantize by themselves. Implements the suite's side of SPEC chapters 2, 3 and 5.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

constexpr std::array<source, 6> kSources{source::spread, source::grid, source::subnormal,
                                         source::zeros,  source::huge, source::nonfinite};

// Rules and smallest bytes, by name.
std::vector<named_policy> scale_policies() {
  std::vector<named_policy> all;
  for (const char* rule : {"floor", "ceil", "even", "rceil"})
    for (const int byte : {0, 1}) {
      const std::string text = fmt::format("scale_rule={},min_scale_byte={}", rule, byte);
      all.push_back({fmt::format("{}.byte{}", rule, byte), parse_policy(text, default_policy()).value()});
    }
  return all;
}

// A tensor whose quantized axis is its last (axis 1) or, as a transposed view, its first (axis 0).
view_input tensor_along(const context& ctx, source what, adahop_dtype dtype, int axis) {
  const std::string name = fmt::format("x.{}", source_name(what));
  const bool pitched = what == source::spread || what == source::zeros;
  if (axis == 1) return input_of(name, generate({what, 37, 96, ADAHOP_PATTERN_NONE, dtype, pitched}, ctx.seed, name));
  return transposed_input_of(name, generate({what, 96, 37, ADAHOP_PATTERN_NONE, dtype, pitched}, ctx.seed, name));
}

void add_rejections(any_adder& adder) {
  const policy reject = parse_policy("nonfinite=reject", default_policy()).value();
  struct bad_element {
    int64_t row, col;
    uint32_t bits;
  };
  const std::vector<std::pair<std::string, std::vector<bad_element>>> inputs = {
      {"first", {{0, 0, 0x7FC00000u}}},
      {"last", {{4, 63, 0xFF800000u}}},
      {"two", {{3, 40, 0x7F800000u}, {1, 50, 0x7FC00000u}}},
      {"payload", {{2, 31, 0x7F810000u}, {2, 32, 0xFFFF0000u}}},
      {"none", {}}};
  for (const auto& [what, bad] : inputs) {
    for (const int axis : {0, 1}) {
      const auto prepare = [=, list = bad](const context& ctx) -> result<call> {
        const bool last = axis == 1;
        auto t = std::make_shared<tensor>(*generate(
            {source::uniform, last ? 5 : 64, last ? 64 : 5, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "x"));
        for (const bad_element& e : list) t->set_bits(last ? e.row : e.col, last ? e.col : e.row, e.bits);
        call c = quantize_call(reject, last ? input_of("x", t) : transposed_input_of("x", t));
        c.expected = list.empty() ? ADAHOP_OK : ADAHOP_NONFINITE;
        return c;
      };
      adder.add(stage::quantize, fmt::format("reject-{}.axis{}", what, axis), "5x64", "nonfinite=reject", prepare);
    }
  }
}

}  // namespace

test_case& any_adder::add(stage where, const std::string& source, const std::string& shape, const std::string& policy_name,
                          std::function<result<call>(const context&)> prepare) {
  test_case c;
  c.name = fmt::format("any/{}/{}/{}/{}", stage_name(where), source, shape, policy_name);
  c.where = where;
  c.prepare = std::move(prepare);
  out_.push_back(std::move(c));
  return out_.back();
}

void add_quantize_cases(case_list& out) {
  any_adder adder(out);
  for (const named_policy& p : scale_policies()) {
    for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16}) {
      const char* type = dtype == ADAHOP_F32 ? "f32" : "bf16";
      for (const int axis : {0, 1}) {
        for (const source what : kSources)
          adder.add(stage::quantize, fmt::format("{}.{}.axis{}", source_name(what), type, axis), "37x96", p.name,
                    [=](const context& ctx) -> result<call> {
                      return quantize_call(p.rules, tensor_along(ctx, what, dtype, axis));
                    });
        adder.add(stage::dequantize, fmt::format("quantized.{}.axis{}", type, axis), "37x96", p.name,
                  [=](const context& ctx) -> result<call> {
                    const source what = axis == 0 ? source::subnormal : source::nonfinite;
                    auto codes =
                        reference_codes(ctx, quantize_call(p.rules, tensor_along(ctx, what, ADAHOP_F32, 1)), "x");
                    if (!codes.ok()) return codes.why();
                    return dequantize_call(p.rules, std::move(codes).value(), dtype, axis == 0);
                  });
      }
    }
    adder.add(stage::quantize, "amax-ladder", "255x320", p.name,
              [=](const context&) -> result<call> { return quantize_call(p.rules, input_of("x", amax_ladder())); });
  }
  for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
    for (const int axis : {0, 1})
      adder.add(stage::dequantize,
                fmt::format("all-codes-and-bytes.{}.axis{}", dtype == ADAHOP_F32 ? "f32" : "bf16", axis), "256x32",
                "default", [=](const context&) -> result<call> {
                  return dequantize_call(default_policy(), every_code_and_byte(), dtype, axis == 0);
                });
  add_rejections(adder);
}

}  // namespace adahop::conformance
