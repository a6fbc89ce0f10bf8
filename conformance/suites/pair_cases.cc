// Stages of a product, each on the reference's output of the stage before it. Implements the suite's side of SPEC
// chapters 7 to 11 and 13.2.
#include "conformance/suites/pair_cases.h"

#include <fmt/format.h>

#include "conformance/suites/chain.h"

namespace adahop::conformance {
namespace {

using make_call = std::function<result<call>(const context&, const operands&)>;

std::string pair_text(pattern_pair pair) { return fmt::format("{}{}", letter(pair.left), letter(pair.right)); }

}  // namespace

strategy strategy_of(const product_case& p, int level) {
  return adahop::strategy_of(level, p.pair, p.path, static_cast<adahop_left_oe_on_dw>(p.rules.rules.left_oe_on_dw));
}

namespace {

stage whole_stage(adahop_path path) {
  return path == ADAHOP_PATH_FORWARD ? stage::forward : path == ADAHOP_PATH_DX ? stage::dx : stage::dw;
}

// What an extraction strategy makes of the operands: the chosen rows of A (OE-left) or of B's [N x K] view (OE-right).
struct split {
  index_input left = no_indices("zeroed"), right = no_indices("zeroed");
};

result<split> split_of(const context& ctx, const policy& p, strategy how, const operands& o) {
  split s;
  if (how != strategy::oe_left && how != strategy::oe_right) return s;
  auto chosen = reference_outliers(ctx, p, how == strategy::oe_left ? o.a : o.b);
  if (!chosen.ok()) return chosen.why();
  (how == strategy::oe_left ? s.left : s.right) = std::move(chosen).value();
  return s;
}

// Under nonfinite = reject a quantizing step that meets a NaN or Inf must say so (SPEC 5.15).
adahop_status quantize_status(const policy& p, const adahop_view& x, const index_input& zeroed) {
  return p.nonfinite == ADAHOP_NONFINITE_REJECT && has_nonfinite(x, zeroed) ? ADAHOP_NONFINITE : ADAHOP_OK;
}

result<call> hadamard_quantize_stage(const context& ctx, const product_case& p, const operands& o, bool left) {
  auto s = split_of(ctx, p.rules.rules, strategy_of(p, 1), o);
  if (!s.ok()) return s.why();
  const index_input zeroed = left ? s->left : s->right;
  call c = hadamard_quantize_call(p.rules.rules, left ? o.a : o.b, zeroed);
  c.expected = quantize_status(p.rules.rules, left ? o.a.view : o.b.view, zeroed);
  return c;
}

}  // namespace

result<call> mx_gemm_stage(const context& ctx, const product_case& p, const operands& o) {
  product_case before = p;  // under reject there might be no codes to multiply
  before.rules.rules.nonfinite = ADAHOP_NONFINITE_BLOCK_NAN;
  auto left = hadamard_quantize_stage(ctx, before, o, true);
  auto right = hadamard_quantize_stage(ctx, before, o, false);
  if (!left.ok() || !right.ok()) return left.ok() ? right.why() : left.why();
  auto a = reference_codes(ctx, left.value(), "a, quantized");
  auto b = reference_codes(ctx, right.value(), "b, quantized");
  if (!a.ok() || !b.ok()) return a.ok() ? b.why() : a.why();
  return mx_gemm_call(p.rules.rules, std::move(a).value(), std::move(b).value(), ADAHOP_F32, false);
}

namespace {

result<call> outlier_gemm_stage(const context& ctx, const product_case& p, const operands& o, strategy how) {
  auto s = split_of(ctx, p.rules.rules, how, o);
  if (!s.ok()) return s.why();
  const bool left = how == strategy::oe_left;
  auto rows =
      reference_out(ctx, extract_outliers_call(p.rules.rules, left ? o.a : o.b, left ? s->left : s->right), "outliers");
  if (!rows.ok()) return rows.why();
  if (left) return bf16_gemm_call(p.rules.rules, std::move(rows).value(), o.b, ADAHOP_F32, false);
  return bf16_gemm_call(p.rules.rules, o.a, std::move(rows).value(), ADAHOP_F32, false);
}

result<call> scatter_add_stage(const context& ctx, const product_case& p, const operands& o, strategy how) {
  auto s = split_of(ctx, p.rules.rules, how, o);
  auto residual = mx_gemm_stage(ctx, p, o);
  auto outlier = outlier_gemm_stage(ctx, p, o, how);
  if (!s.ok()) return s.why();
  if (!residual.ok() || !outlier.ok()) return residual.ok() ? outlier.why() : residual.why();
  auto c = reference_out(ctx, residual.value(), "c, the MX part");
  auto add = reference_out(ctx, outlier.value(), "outlier product");
  if (!c.ok() || !add.ok()) return c.ok() ? add.why() : c.why();
  const bool left = how == strategy::oe_left;
  return scatter_add_call(p.rules.rules, std::move(c).value(), std::move(add).value(), left ? s->left : s->right,
                          left ? ADAHOP_SIDE_LEFT : ADAHOP_SIDE_RIGHT, static_cast<adahop_dtype>(p.rules.rules.output),
                          false);
}

}  // namespace

result<call> whole_product(const context& ctx, const product_case& p, const operands& o, int level) {
  const strategy how = strategy_of(p, level);
  call c = matmul_call(p.rules.rules, {level, p.pair.left, p.pair.right, p.path}, o.a, o.b, false);
  auto s = split_of(ctx, p.rules.rules, how, o);
  if (!s.ok()) return s.why();
  if (how == strategy::bf16) return c;  // nothing is quantized, so nothing is rejected
  for (const auto& [x, zeroed] : {std::pair{&o.a.view, &s->left}, std::pair{&o.b.view, &s->right}})
    if (quantize_status(p.rules.rules, *x, *zeroed) != ADAHOP_OK) c.expected = ADAHOP_NONFINITE;
  return c;
}

namespace {

// A pair is forced, so a tensor of another pattern is no failure; but the suite says so.
void note_verdict(const outcome& o, adahop_pattern intended, std::string& note) {
  const auto verdict = static_cast<adahop_pattern>(output_of(o.expected, "verdict").bits(0, 0));
  if (verdict != intended)
    note = fmt::format("the tensor's own verdict is {}, the forced one {}", name(verdict), name(intended));
}

class case_adder {
 public:
  case_adder(const product_case& p, case_list& out) : p_(p), out_(out) {}

  test_case& add(stage where, std::string_view detail, std::optional<strategy> how, make_call make) {
    test_case c;
    const std::string path = where >= stage::forward ? "" : fmt::format(".{}", name(p_.path));
    c.name = fmt::format("{}/{}{}{}/{}/{}/{}", pair_text(p_.pair), stage_name(where), detail, path, p_.source, p_.shape,
                         p_.rules.name);
    c.pair = p_.pair;
    c.where = where;
    c.how = how;
    c.needs_data = p_.needs_data;
    c.prepare = [make_operands = p_.make, make](const context& ctx) -> result<call> {
      auto o = make_operands(ctx);
      if (!o.ok()) return o.why();
      return make(ctx, o.value());
    };
    out_.push_back(std::move(c));
    return out_.back();
  }

 private:
  const product_case& p_;
  case_list& out_;
};

// Which pattern a tensor is meant to have; by the side it stands on, from the pair and the path (SPEC 8.3).
adahop_pattern intended_pattern(const product_case& p, bool left) {
  if (left) return p.path == ADAHOP_PATH_DW ? opposite(p.pair.left) : p.pair.left;
  return p.path == ADAHOP_PATH_FORWARD ? opposite(p.pair.right) : p.pair.right;
}

}  // namespace

void add_stage_cases(const product_case& p, case_list& out) {
  case_adder adder(p, out);
  const policy& rules = p.rules.rules;
  const strategy how = strategy_of(p, 1);
  for (const bool left : {true, false}) {
    const std::string_view side = left ? ".left" : ".right";
    const auto operand = [left](const operands& o) { return left ? o.a : o.b; };
    test_case& c = adder.add(stage::pattern, side, {}, [=](const context&, const operands& o) -> result<call> {
      return pattern_call(rules, left ? o.left : o.right);
    });
    c.inspect = [intended = intended_pattern(p, left)](const context&, outcome& o) {
      note_verdict(o, intended, o.note);
    };
    adder.add(stage::foid, side, {}, [=](const context&, const operands& o) -> result<call> {
      return select_outliers_call(rules, operand(o));
    });
    adder.add(stage::extract, side, {}, [=](const context& ctx, const operands& o) -> result<call> {
      auto chosen = reference_outliers(ctx, rules, operand(o));
      if (!chosen.ok()) return chosen.why();
      return extract_outliers_call(rules, operand(o), std::move(chosen).value());
    });
    adder.add(left ? stage::hq_left : stage::hq_right, "", how,
              [=](const context& ctx, const operands& o) { return hadamard_quantize_stage(ctx, p, o, left); });
  }
  adder.add(stage::mx_gemm, "", how, [=](const context& ctx, const operands& o) { return mx_gemm_stage(ctx, p, o); });
  if (how == strategy::oe_left || how == strategy::oe_right) {
    adder.add(stage::outlier_gemm, "", how,
              [=](const context& ctx, const operands& o) { return outlier_gemm_stage(ctx, p, o, how); });
    adder.add(stage::scatter_add, "", how,
              [=](const context& ctx, const operands& o) { return scatter_add_stage(ctx, p, o, how); });
  }
  if (strategy_of(p, 2) == strategy::bf16)
    adder.add(stage::bf16_product, "", strategy::bf16, [=](const context&, const operands& o) -> result<call> {
      return bf16_gemm_call(rules, o.a, o.b, static_cast<adahop_dtype>(rules.output), false);
    });
}

void add_whole_cases(const product_case& p, case_list& out) {
  case_adder adder(p, out);
  for (const int level : {1, 2})
    adder.add(whole_stage(p.path), level == 1 ? ".level1" : ".level2", strategy_of(p, level),
              [=](const context& ctx, const operands& o) { return whole_product(ctx, p, o, level); });
}

}  // namespace adahop::conformance
