// Products under the policies beside the defaults of OCP and AdaHOP: random rounding, other transforms, padding, shuffled
// scales, other accumulation. Implements the suite's side of SPEC 3.5-3.8, 5.17-5.22, 6.10, 6.11, 10.11-10.19.
#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

struct policy_product {
  product_shape shape;
  source what;
  const char* rules;
};

// K that is no multiple of 32 goes with pad=zero. 128-point transforms need K = 128 or padding.
constexpr std::array<policy_product, 24> kProducts{{
    {{40, 96, 48}, source::spread, "element_rounding=stochastic(8,1,0),oe_k=8"},
    {{40, 96, 48}, source::spread, "element_rounding=stochastic(1,7,4294967290),oe_k=8"},
    {{33, 64, 40}, source::grid, "element_rounding=stochastic(32,18446744073709551615,18446744073709551000),oe_k=8"},
    {{33, 64, 40}, source::nonfinite, "element_rounding=stochastic(22,4294967296,12345678901),oe_k=8"},
    {{40, 96, 48}, source::spread, "element_rounding=gfx950_sr(3),oe_k=8"},
    {{33, 64, 40}, source::subnormal, "element_rounding=gfx950_sr(18446744073709551615),oe_k=8"},
    {{40, 96, 48}, source::spread, "hadamard_size=16,oe_k=8"},
    {{40, 64, 48}, source::spread, "hadamard_size=64,oe_k=8"},
    {{40, 128, 48}, source::spread, "hadamard_size=128,oe_k=8"},
    {{40, 128, 33}, source::huge, "hadamard_size=128,hadamard_output=f32,oe_k=8"},
    {{40, 96, 48}, source::spread, "hadamard_signs=random(5),oe_k=8"},
    {{40, 128, 48}, source::zeros, "hadamard_size=64,hadamard_signs=random(12345678901234),oe_k=8"},
    {{40, 100, 48}, source::spread, "pad=zero,oe_k=8"},
    {{33, 1, 40}, source::uniform, "pad=zero,oe_k=8"},
    {{33, 65, 40}, source::nonfinite, "pad=zero,hadamard_size=128,oe_k=8"},
    {{40, 90, 48}, source::spread, "pad=zero,nonfinite=reject,foid_window=32,oe_k=8"},
    {{40, 96, 48}, source::spread, "scale_layout=gfx950_shuffle,oe_k=8"},
    {{65, 288, 33}, source::uniform, "scale_layout=gfx950_shuffle,oe_k=8"},
    {{40, 70, 48}, source::spread,
     "element_rounding=stochastic(16,9,3),hadamard_size=64,hadamard_signs=random(2),pad=zero,"
     "scale_layout=gfx950_shuffle,oe_k=8"},
    {{40, 70, 48}, source::spread, "element_rounding=gfx950_sr(4),pad=zero,scale_layout=gfx950_shuffle,oe_k=8"},
    {{40, 96, 48}, source::spread, "gemm_model=exact_sum,bf16_gemm_model=exact_sum,oe_k=8"},
    {{40, 96, 48}, source::spread, "gemm_model=mfma_fused(4),bf16_gemm_model=cdna3_trfdpa(8),oe_k=8"},
    {{40, 96, 48}, source::spread, "gemm_model=cdna3_gtrfdpa(64),oe_k=8"},
    {{40, 96, 48}, source::spread, "gemm_model=block_first_fdpa(4),oe_k=8"},
}};

product_case case_of(const policy_product& s, pattern_pair pair, adahop_path path) {
  const named_policy rules{s.rules, parse_policy(s.rules, default_policy()).value()};
  product_case p{pair, path, rules, std::string(source_name(s.what)), text(s.shape), false, {}};
  p.make = [=](const context& ctx) -> result<operands> {
    return synthetic_operands(s.what, s.shape, pair, path, ctx.seed, false);
  };
  return p;
}

}  // namespace

void add_policy_products(const suite_options& options, case_list& out) {
  if (options.override_policy) return;
  const bool full = options.suite == suite_name::full;
  for (const pattern_pair pair : kAllPairs)
    for (size_t i = 0; i < kProducts.size(); ++i)
      for (size_t j = 0; j < (full ? kPaths.size() : 1); ++j) {
        const product_case p = case_of(kProducts[i], pair, kPaths[(i + j) % kPaths.size()]);
        // A backend may refuse a record with a model that it lacks even where an operation does not read it.
        if (p.rules.rules.gemm_model == ADAHOP_GEMM_BLOCK_RNE) add_stage_cases(p, out);
        add_whole_cases(p, out);
      }
}

}  // namespace adahop::conformance
