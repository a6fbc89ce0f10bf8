// What a small shape or a default hides: the second matrix tile of a backend that has two, more outliers than a wave has
// lanes, and a report over more thread blocks than a reduction has threads. Implements the suite's side of SPEC 1.2, 5.9,
// 5.15, 6.8, 9.4, 10.10.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

const backend_option kSecondTile{"mx_tile", "32x32x64", "16x16x128"};

// More rows than two tiles have, and ends of all three dimensions inside one.
constexpr std::array<product_shape, 3> kTileShapes{{{33, 32, 31}, {70, 96, 65}, {48, 224, 130}}};

void add_tile_cases(case_list& out) {
  any_adder adder(out);
  const std::string tile = "mx_tile=" + kSecondTile.value;
  for (const product_shape& s : kTileShapes)
    for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16}) {
      const bool bf16 = dtype == ADAHOP_BF16;
      adder
          .add(stage::edge_mx_gemm, fmt::format("tile.{}", bf16 ? "bf16" : "f32"), text(s), tile,
               [=](const context& ctx) -> result<call> {
                 return mx_gemm_call(default_policy(), random_codes(ctx.seed, "a", s.m, s.k, 119, 131, 40),
                                     random_codes(ctx.seed, "b", s.n, s.k, 119, 131, 0), dtype, bf16);
               })
          .option = kSecondTile;
    }
}

product_case synthetic(source what, const product_shape& shape, pattern_pair pair, adahop_path path,
                       const named_policy& rules) {
  product_case p{pair, path, rules, std::string(source_name(what)), text(shape), false, {}};
  p.make = [=](const context& ctx) -> result<operands> {
    return synthetic_operands(what, shape, pair, path, ctx.seed, false);
  };
  return p;
}

void add_tile_products(case_list& out) {
  const policy rules = parse_policy("oe_k=8", default_policy()).value();
  const size_t first = out.size();
  for (const pattern_pair pair : kAllPairs)
    add_whole_cases(synthetic(source::spread, {40, 96, 72}, pair, ADAHOP_PATH_FORWARD,
                              {"oe_k=8,mx_tile=" + kSecondTile.value, rules}),
                    out);
  for (size_t i = first; i < out.size(); ++i) out[i].option = kSecondTile;
}

// Both operands have more rows than any k, so that some are left in the residual.
void add_many_outliers(case_list& out) {
  constexpr pattern_pair kOeLeft{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE};
  constexpr pattern_pair kOeRight{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN};
  for (const int k : {65, 96, 130})
    for (const pattern_pair pair : {kOeLeft, kOeRight}) {
      const std::string name = fmt::format("oe_k={}", k);
      const product_case p = synthetic(source::spread, {168, 64, 161}, pair, ADAHOP_PATH_FORWARD,
                                       {name, parse_policy(name, default_policy()).value()});
      add_stage_cases(p, out);
      add_whole_cases(p, out);
    }
}

// Quantizing kernels take 32 rows a thread block, so 8256 rows make 258 partial reports. Under floor about half of the
// blocks clip; the only non-finite element stands in the last row.
constexpr int64_t kReportRows = 8256;

view_input report_tensor(const context& ctx, bool nonfinite) {
  auto t = std::make_shared<tensor>(
      *generate({source::uniform, kReportRows, 32, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "x"));
  if (nonfinite) t->set_bits(kReportRows - 1, 17, 0x7FC00000u);
  return input_of("x", t);
}

void add_report_cases(case_list& out) {
  any_adder adder(out);
  const std::string shape = fmt::format("{}x32", kReportRows);
  for (const bool nonfinite : {false, true})
    for (const char* rules : {"scale_rule=floor", "scale_rule=floor,nonfinite=reject"})
      for (const bool transformed : {false, true})
        adder.add(transformed ? stage::hadamard_quantize : stage::quantize,
                  nonfinite ? "long-report-nonfinite" : "long-report", shape, rules,
                  [=](const context& ctx) -> result<call> {
                    const policy p = parse_policy(rules, default_policy()).value();
                    const view_input x = report_tensor(ctx, nonfinite);
                    call c = transformed ? hadamard_quantize_call(p, x, no_indices("zeroed")) : quantize_call(p, x);
                    if (nonfinite && p.nonfinite == ADAHOP_NONFINITE_REJECT) c.expected = ADAHOP_NONFINITE;
                    return c;
                  });
}

}  // namespace

void add_wide_cases(const suite_options& options, case_list& out) {
  add_tile_cases(out);
  add_report_cases(out);
  if (options.override_policy) return;
  add_tile_products(out);
  add_many_outliers(out);
}

}  // namespace adahop::conformance
