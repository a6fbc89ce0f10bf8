// Pattern statistics, FOID and extraction where verdicts and ranks are at an edge. Implements the suite's side of SPEC
// chapters 7 and 9.
#include <fmt/format.h>

#include <cstring>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

using make_view = std::function<view_input(const context&)>;

struct tensor_edge {
  std::string name, shape;
  make_view make;
};

tensor_edge generated(source what, int64_t rows, int64_t cols, adahop_pattern pattern, adahop_dtype dtype,
                      bool turned) {
  return {fmt::format("{}-{}.{}{}", source_name(what), name(pattern), dtype == ADAHOP_F32 ? "f32" : "bf16",
                      turned ? ".turned" : ""),
          fmt::format("{}x{}", rows, cols), [=](const context& ctx) {
            const auto t = generate({what, rows, cols, pattern, dtype, turned}, ctx.seed, "x");
            return turned ? transposed_input_of("x", t) : input_of("x", t);
          }};
}

// Every element `bits`, but for row `other`, whose elements are `other_bits`.
tensor_edge constant(const std::string& edge_name, int64_t rows, int64_t cols, uint32_t bits, int64_t other,
                     uint32_t other_bits) {
  return {edge_name, fmt::format("{}x{}", rows, cols), [=](const context&) {
            auto t = std::make_shared<tensor>(ADAHOP_BF16, rows, cols, cols);
            for (int64_t r = 0; r < rows; ++r)
              for (int64_t c = 0; c < cols; ++c) t->set_bits(r, c, r == other ? other_bits : bits);
            return input_of("x", t);
          }};
}

// A row pattern times 2^-power: the verdict fades when the variances sink below eps (SPEC 7.8).
tensor_edge faded(int power) {
  return {fmt::format("row-times-2^-{}", power), "64x64", [=](const context& ctx) {
            const auto t = generate({source::uniform, 64, 64, ADAHOP_PATTERN_ROW, ADAHOP_F32, false}, ctx.seed, "x");
            auto scaled = std::make_shared<tensor>(*t);
            for (int64_t i = 0; i < 64 * 64; ++i) {
              uint32_t bits = 0;
              std::memcpy(&bits, t->bytes.data() + 4 * i, 4);
              scaled->set_bits(i / 64, i % 64, bits - (static_cast<uint32_t>(power) << 23));
            }
            return input_of("x", scaled);
          }};
}

std::vector<tensor_edge> pattern_edges() {
  std::vector<tensor_edge> all;
  for (const adahop_pattern p : {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE})
    for (const bool turned : {false, true}) {
      all.push_back(generated(source::uniform, 67, 131, p, ADAHOP_BF16, turned));
      all.push_back(generated(source::spread, 200, 65, p, ADAHOP_F32, turned));
    }
  all.push_back(generated(source::nonfinite, 40, 40, ADAHOP_PATTERN_ROW, ADAHOP_BF16, false));
  all.push_back(generated(source::huge, 40, 96, ADAHOP_PATTERN_ROW, ADAHOP_F32, false));
  all.push_back(generated(source::subnormal, 40, 96, ADAHOP_PATTERN_COLUMN, ADAHOP_F32, false));
  all.push_back(generated(source::uniform, 1, 64, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false));
  all.push_back(generated(source::uniform, 64, 1, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false));
  all.push_back(generated(source::uniform, 1, 1, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false));
  all.push_back(generated(source::uniform, 2, 2, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false));
  all.push_back(constant("zeros", 32, 64, 0, -1, 0));
  all.push_back(constant("constant-0.1", 48, 65, 0x3DCD0000u, -1, 0));
  all.push_back(constant("one-row", 48, 65, 0x3DCD0000u, 7, 0x40490000u));
  for (const int power : {20, 28, 30, 32, 36, 60}) all.push_back(faded(power));
  return all;
}

std::vector<tensor_edge> selection_edges() {
  std::vector<tensor_edge> all;
  for (const source what : {source::spread, source::grid, source::subnormal, source::huge, source::nonfinite})
    for (const bool turned : {false, true})
      all.push_back(turned ? generated(what, 96, 150, ADAHOP_PATTERN_COLUMN, ADAHOP_BF16, true)
                           : generated(what, 150, 96, ADAHOP_PATTERN_ROW, ADAHOP_BF16, false));
  all.push_back(generated(source::spread, 300, 32, ADAHOP_PATTERN_ROW, ADAHOP_BF16, false));
  all.push_back(generated(source::spread, 9, 64, ADAHOP_PATTERN_ROW, ADAHOP_BF16, false));
  all.push_back(generated(source::spread, 1, 32, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false));
  all.push_back(constant("all-equal", 130, 64, 0x3F800000u, -1, 0));
  all.push_back(constant("all-zero", 130, 64, 0, -1, 0));
  all.push_back(constant("nan-row", 130, 64, 0x3F800000u, 129, 0x7FC00000u));
  all.push_back(constant("inf-row", 130, 64, 0x3F800000u, 128, 0x7F800000u));
  // Two rows in three tie: ranks are settled by the index.
  all.push_back({"tied-scores", "132x64", [](const context&) {
                   auto t = std::make_shared<tensor>(ADAHOP_BF16, 132, 64, 64);
                   for (int64_t r = 0; r < 132; ++r)
                     for (int64_t c = 0; c < 64; ++c)
                       t->set_bits(r, c, (c % 2 != 0 ? 0x80000000u : 0u) | (r % 3 == 0 ? 0x40000000u : 0x3F800000u));
                   return input_of("x", t);
                 }});
  return all;
}

}  // namespace

void add_selection_edge_cases(case_list& out) {
  any_adder adder(out);
  for (const tensor_edge& edge : pattern_edges())
    adder.add(
        stage::edge_pattern, edge.name, edge.shape, "default",
        [make = edge.make](const context& ctx) -> result<call> { return pattern_call(default_policy(), make(ctx)); });
  for (const char* rules : {"pattern_ratio=1.25", "pattern_eps=0.001"})
    for (const tensor_edge& edge :
         {faded(20), generated(source::spread, 67, 131, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false)})
      adder.add(stage::edge_pattern, edge.name, edge.shape, rules,
                [make = edge.make, rules](const context& ctx) -> result<call> {
                  return pattern_call(parse_policy(rules, default_policy()).value(), make(ctx));
                });
  for (const tensor_edge& edge : selection_edges())
    for (const char* rules : {"oe_k=64", "oe_k=4", "oe_k=1,foid_window=32"}) {
      const policy p = parse_policy(rules, default_policy()).value();
      adder.add(
          stage::edge_foid, edge.name, edge.shape, rules,
          [=, make = edge.make](const context& ctx) -> result<call> { return select_outliers_call(p, make(ctx)); });
    }
  for (const tensor_edge& edge : selection_edges())
    adder.add(stage::edge_extract, edge.name, edge.shape, "oe_k=64",
              [make = edge.make](const context& ctx) -> result<call> {
                auto chosen = reference_outliers(ctx, default_policy(), make(ctx));
                if (!chosen.ok()) return chosen.why();
                return extract_outliers_call(default_policy(), make(ctx), std::move(chosen).value());
              });
}

}  // namespace adahop::conformance
