// Quantize, dequantize and Hadamard by themselves under random rounding, other transforms, padding and shuffled scales.
// Implements the suite's side of SPEC 3.5-3.8, 5.17-5.21, 6.10, 6.11.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

struct form {
  const char* rules;
  int64_t inner;
};

constexpr std::array<form, 12> kQuantizeForms{{
    {"element_rounding=stochastic(1,1,0)", 96},
    {"element_rounding=stochastic(8,2,100)", 96},
    {"element_rounding=stochastic(23,3,4294967200)", 96},
    {"element_rounding=stochastic(32,4,18446744073709551600)", 96},
    {"element_rounding=gfx950_sr(1)", 96},
    {"element_rounding=gfx950_sr(98765432109876)", 96},
    {"pad=zero", 75},
    {"pad=zero,nonfinite=reject", 33},
    {"pad=zero,element_rounding=stochastic(8,2,1)", 75},
    {"pad=zero,element_rounding=gfx950_sr(1)", 75},
    {"scale_layout=gfx950_shuffle", 96},
    {"scale_layout=gfx950_shuffle,pad=zero,min_scale_byte=1", 300},
}};

constexpr std::array<form, 8> kTransformForms{{
    {"hadamard_size=16", 96},
    {"hadamard_size=64", 128},
    {"hadamard_size=128", 256},
    {"hadamard_size=128,hadamard_output=f32", 256},
    {"hadamard_signs=random(7)", 96},
    {"hadamard_size=64,hadamard_signs=random(18446744073709551615),hadamard_output=f32", 128},
    {"pad=zero,hadamard_size=64,hadamard_signs=random(7)", 70},
    {"pad=zero,hadamard_output=f32", 50},
}};

constexpr std::array<source, 5> kSources{source::spread, source::grid, source::subnormal, source::huge, source::nonfinite};

policy rules_of(const form& f) { return parse_policy(f.rules, default_policy()).value(); }

// 37 rows along the last axis or, as a transposed view, the first one.
view_input tensor_along(const context& ctx, source what, adahop_dtype dtype, int axis, int64_t inner) {
  if (axis == 1) return input_of("x", generate({what, 37, inner, ADAHOP_PATTERN_NONE, dtype, false}, ctx.seed, "x"));
  return transposed_input_of("x", generate({what, inner, 37, ADAHOP_PATTERN_NONE, dtype, true}, ctx.seed, "x"));
}

adahop_status quantize_status(const policy& p, const view_input& x) {
  const bool rejects = p.nonfinite == ADAHOP_NONFINITE_REJECT && has_nonfinite(x.view, no_indices("zeroed"));
  return rejects ? ADAHOP_NONFINITE : ADAHOP_OK;
}

void add_quantize_forms(any_adder& adder) {
  for (const form& f : kQuantizeForms)
    for (const source what : kSources)
      for (const int axis : {0, 1}) {
        const adahop_dtype dtype = axis == 0 ? ADAHOP_BF16 : ADAHOP_F32;
        const std::string source = fmt::format("{}.{}.axis{}", source_name(what), axis == 0 ? "bf16" : "f32", axis);
        const std::string shape = fmt::format("37x{}", f.inner);
        adder.add(stage::quantize, source, shape, f.rules, [=](const context& ctx) -> result<call> {
          const view_input x = tensor_along(ctx, what, dtype, axis, f.inner);
          call c = quantize_call(rules_of(f), x);
          c.expected = quantize_status(c.rules, x);
          return c;
        });
        adder.add(stage::dequantize, source, shape, f.rules, [=](const context& ctx) -> result<call> {
          policy p = rules_of(f);
          p.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
          auto codes = reference_codes(ctx, quantize_call(p, tensor_along(ctx, what, dtype, axis, f.inner)), "x");
          if (!codes.ok()) return codes.why();
          return dequantize_call(p, std::move(codes).value(), dtype, axis == 0, f.inner);
        });
      }
}

void add_transform_forms(any_adder& adder) {
  for (const form& f : kTransformForms)
    for (const source what : kSources)
      for (const int axis : {0, 1}) {
        const adahop_dtype dtype = axis == 0 ? ADAHOP_F32 : ADAHOP_BF16;
        const std::string source = fmt::format("{}.{}.axis{}", source_name(what), axis == 0 ? "f32" : "bf16", axis);
        const std::string shape = fmt::format("37x{}", f.inner);
        adder.add(stage::hadamard, source, shape, f.rules, [=](const context& ctx) -> result<call> {
          return hadamard_call(rules_of(f), tensor_along(ctx, what, dtype, axis, f.inner), axis == 0);
        });
        adder.add(stage::hadamard_quantize, source, shape, f.rules, [=](const context& ctx) -> result<call> {
          return hadamard_quantize_call(rules_of(f), tensor_along(ctx, what, dtype, axis, f.inner),
                                        indices_of("zeroed", {0, 3, 36}));
        });
      }
}

}  // namespace

void add_rounding_cases(case_list& out) {
  any_adder adder(out);
  add_quantize_forms(adder);
  add_transform_forms(adder);
}

}  // namespace adahop::conformance
