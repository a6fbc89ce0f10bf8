// The synthetic products of both suites.
#include <fmt/format.h>

#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

struct synthetic_product {
  product_shape shape;
  source what;
  const char* rules;  ///< a preset, or fields over the default
  bool pitched;       ///< operands with gaps between their rows
};

// K is a multiple of 32 throughout, often not of 64 or 128; M and N are odd, 1, below and well above the 64 rows or
// columns that the default extracts, so that what is left in the residual matters.
constexpr std::array<synthetic_product, 21> kMustpass{{
    {{130, 224, 72}, source::uniform, "default", false}, {{160, 192, 200}, source::spread, "default", true},
    {{128, 128, 128}, source::grid, "default", false},   {{64, 160, 96}, source::spread, "default", false},
    {{1, 32, 1}, source::uniform, "default", false},     {{1, 64, 32}, source::spread, "default", false},
    {{16, 32, 16}, source::uniform, "oe_k=4", false},    {{16, 96, 48}, source::grid, "oe_k=4", true},
    {{33, 64, 40}, source::uniform, "oe_k=8", false},    {{72, 96, 80}, source::zeros, "default", false},
    {{48, 64, 72}, source::subnormal, "oe_k=8", true},   {{72, 64, 48}, source::huge, "oe_k=8", false},
    {{80, 96, 72}, source::nonfinite, "default", false}, {{80, 96, 72}, source::nonfinite, "nonfinite=reject", false},
    {{72, 96, 80}, source::spread, "ocp", false},        {{72, 96, 80}, source::spread, "adahop_port", false},
    {{72, 96, 80}, source::spread, "rceil", false},      {{72, 96, 80}, source::spread, "hadamard_output=f32", false},
    {{72, 96, 80}, source::spread, "output=f32", true},  {{72, 96, 80}, source::spread, "foid_window=32", false},
    {{72, 96, 80}, source::spread, "oe_k=12", false},
}};

constexpr std::array<product_shape, 9> kFullShapes{{{1, 32, 1},
                                                    {16, 32, 16},
                                                    {16, 96, 48},
                                                    {33, 64, 40},
                                                    {65, 64, 129},
                                                    {64, 160, 96},
                                                    {130, 224, 72},
                                                    {128, 256, 128},
                                                    {200, 160, 160}}};
constexpr std::array<source, 7> kFullSources{source::uniform, source::spread, source::grid,     source::subnormal,
                                             source::zeros,   source::huge,   source::nonfinite};

named_policy policy_of(const char* rules, const suite_options& options) {
  if (options.override_policy) return {options.override_name, *options.override_policy};
  const auto preset = preset_policy(rules);
  return {rules, preset.ok() ? preset.value() : parse_policy(rules, default_policy()).value()};
}

product_case case_of(const synthetic_product& s, pattern_pair pair, adahop_path path, const suite_options& options) {
  product_case p{pair, path, policy_of(s.rules, options), std::string(source_name(s.what)), text(s.shape), false, {}};
  p.make = [=](const context& ctx) -> result<operands> {
    return synthetic_operands(s.what, s.shape, pair, path, ctx.seed, s.pitched);
  };
  return p;
}

}  // namespace

void add_synthetic_products(const suite_options& options, case_list& out) {
  for (const pattern_pair pair : kAllPairs) {
    // The stages run on one path a product, in turn; the whole product on all three.
    for (size_t i = 0; i < kMustpass.size(); ++i) {
      add_stage_cases(case_of(kMustpass[i], pair, kPaths[i % kPaths.size()], options), out);
      for (const adahop_path path : kPaths) add_whole_cases(case_of(kMustpass[i], pair, path, options), out);
    }
    if (options.suite != suite_name::full) continue;
    for (const synthetic_product& s : kMustpass)
      for (const adahop_path path : kPaths) add_stage_cases(case_of(s, pair, path, options), out);
    for (const product_shape& shape : kFullShapes)
      for (const source what : kFullSources)
        for (const adahop_path path : kPaths) {
          const synthetic_product s{shape, what, "default", shape.m % 2 != 0};
          add_stage_cases(case_of(s, pair, path, options), out);
          add_whole_cases(case_of(s, pair, path, options), out);
        }
  }
}

}  // namespace adahop::conformance
