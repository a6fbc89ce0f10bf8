// Whole products and their MX products in mode native. Implements the suite's side of SPEC 10.24.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/native_facts.h"
#include "conformance/suites/product_cases.h"
#include "reference/bound.h"
#include "reference/certificate.h"
#include "reference/scale_storage.h"

namespace adahop::conformance {
namespace {

struct native_product {
  product_shape shape;
  source what;
  adahop_path path;
  const char* rules;
};

// Grid and uniform tensors are certified in part, spread and huge ones hardly; K = 96 and 160 end within an instruction.
constexpr std::array<native_product, 6> kProducts{{
    {{40, 96, 48}, source::grid, ADAHOP_PATH_FORWARD, "oe_k=8"},
    {{33, 160, 40}, source::uniform, ADAHOP_PATH_DX, "oe_k=8,output=f32"},
    {{48, 64, 33}, source::spread, ADAHOP_PATH_DW, "oe_k=8"},
    {{40, 64, 48}, source::huge, ADAHOP_PATH_FORWARD, "oe_k=8,output=f32"},
    {{40, 64, 48}, source::nonfinite, ADAHOP_PATH_DX, "oe_k=8"},
    {{40, 96, 48}, source::uniform, ADAHOP_PATH_FORWARD, "oe_k=8,scale_layout=gfx950_shuffle"},
}};

// A matrix of an FP32 output.
matrix<float> values_of(const guarded_array& out) {
  matrix<float> m(out.spec().rows, out.spec().cols);
  for (int64_t r = 0; r < m.rows; ++r)
    for (int64_t c = 0; c < m.cols; ++c) m.at(r, c) = float_of(static_cast<uint32_t>(out.bits(r, c)));
  return m;
}

// The same product under exact_sum in FP32.
call exact_form(call c) {
  c.rules.gemm_model = ADAHOP_GEMM_EXACT_SUM;
  c.rules.gemm_model_param = 0;
  c.rules.output = ADAHOP_F32;
  c.outputs[0].kind = element::f32;
  return c;
}

}  // namespace

result<call> in_native_mode(const context& ctx, call c, const call* mx_part) {
  auto facts = std::make_shared<native_facts>();
  const output_spec& out = c.outputs[0];
  auto ran = run_reference(ctx, exact_form(c));
  if (!ran.ok()) return ran.why();
  facts->exact = values_of(output_of(*ran.value(), "out"));
  facts->certified = matrix<uint8_t>(out.rows, out.cols);
  facts->bound = matrix<double>(out.rows, out.cols);
  if (mx_part == nullptr) {
    std::fill(facts->certified.data.begin(), facts->certified.data.end(), uint8_t{1});
  } else {
    // Certificate and bound read scales in the linear layout.
    const auto& left = std::get<mx_input>(mx_part->inputs[0]);
    const auto& right = std::get<mx_input>(mx_part->inputs[1]);
    std::vector<uint8_t> left_scales, right_scales;
    const adahop_mx a = reference::with_linear_scales(left.mx, left.scale_layout, left_scales);
    const adahop_mx b = reference::with_linear_scales(right.mx, right.scale_layout, right_scales);
    facts->certified = reference::certify(a, b);
    facts->bound = reference::error_bounds(a, b);
  }
  c.native = std::move(facts);
  return c;
}

void add_native_product_cases(const product_case& p, case_list& out) {
  const auto add = [&](stage where, const std::string& detail, strategy how, auto make) {
    test_case c;
    c.name = fmt::format("{}{}/{}.{}{}/{}/{}/{}", letter(p.pair.left), letter(p.pair.right), stage_name(where),
                         name(p.path), detail, p.source, p.shape, p.rules.name);
    c.pair = p.pair;
    c.where = where;
    c.how = how;
    c.prepare = [p, make](const context& ctx) -> result<call> {
      auto o = p.make(ctx);
      if (!o.ok()) return o.why();
      return make(ctx, o.value());
    };
    out.push_back(std::move(c));
  };
  add(stage::native_mx_gemm, "", strategy_of(p, 1), [p](const context& ctx, const operands& o) -> result<call> {
    auto c = mx_gemm_stage(ctx, p, o);
    if (!c.ok()) return c.why();
    return in_native_mode(ctx, c.value(), &c.value());
  });
  for (const int level : {1, 2}) {
    const strategy how = strategy_of(p, level);
    add(stage::native_matmul, fmt::format(".level{}", level), how,
        [=](const context& ctx, const operands& o) -> result<call> {
          auto c = whole_product(ctx, p, o, level);
          if (!c.ok()) return c.why();
          if (how == strategy::bf16) return in_native_mode(ctx, std::move(c).value(), nullptr);
          auto part = mx_gemm_stage(ctx, p, o);
          if (!part.ok()) return part.why();
          return in_native_mode(ctx, std::move(c).value(), &part.value());
        });
  }
}

void add_native_products(const suite_options& options, case_list& out) {
  for (const pattern_pair pair : kAllPairs)
    for (const native_product& s : kProducts) {
      named_policy rules{s.rules, parse_policy(s.rules, default_policy()).value()};
      if (options.override_policy) rules = {options.override_name, *options.override_policy};
      product_case p{pair, s.path, rules, std::string(source_name(s.what)), text(s.shape), false, {}};
      p.make = [s, pair](const context& ctx) -> result<operands> {
        return synthetic_operands(s.what, s.shape, pair, s.path, ctx.seed, false);
      };
      add_native_product_cases(p, out);
    }
}

}  // namespace adahop::conformance
