// Small cases that between them take every path of a kernel: partial blocks of each length, row orders, types, roundings
// and layouts together; K of every remainder; K long enough for a double-buffered loop. Implements the suite's side of
// SPEC 13.11.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/native_facts.h"
#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

const char* type_name(adahop_dtype dtype) { return dtype == ADAHOP_F32 ? "f32" : "bf16"; }

policy rules_of(const std::string& text) { return parse_policy(text, default_policy()).value(); }

// `outer` rows along the last axis or, as a transposed view, the first one.
view_input tensor_along(const context& ctx, adahop_dtype dtype, int axis, int64_t outer, int64_t inner) {
  if (axis == 1)
    return input_of("x", generate({source::spread, outer, inner, ADAHOP_PATTERN_NONE, dtype, false}, ctx.seed, "x"));
  return transposed_input_of(
      "x", generate({source::spread, inner, outer, ADAHOP_PATTERN_NONE, dtype, true}, ctx.seed, "x"));
}

// Blocks of which 5, 13, 21 or 29 elements are there, so that they end in each group of eight; and whole blocks alone.
constexpr std::array<int64_t, 5> kLengths{37, 45, 53, 61, 128};
constexpr std::array<const char*, 5> kTransforms{"hadamard_size=16", "hadamard_signs=random(5)", "hadamard_size=64",
                                                 "hadamard_size=128,hadamard_signs=random(6)", "hadamard_size=128"};

void add_quantize_paths(any_adder& adder) {
  for (const char* rounding : {"rne", "stochastic(8,2,1)", "gfx950_sr(1)"})
    for (const char* layout : {"linear", "gfx950_shuffle"})
      for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
        for (const int axis : {0, 1})
          for (size_t i = 0; i < kLengths.size(); ++i) {
            const std::string source = fmt::format("paths.{}.axis{}", type_name(dtype), axis);
            const std::string shape = fmt::format("19x{}", kLengths[i]);
            const std::string rules = fmt::format("pad=zero,element_rounding={},scale_layout={}", rounding, layout);
            adder.add(stage::quantize, source, shape, rules, [=](const context& ctx) -> result<call> {
              return quantize_call(rules_of(rules), tensor_along(ctx, dtype, axis, 19, kLengths[i]));
            });
            const std::string both = fmt::format("{},{}", rules, kTransforms[i]);
            adder.add(stage::hadamard_quantize, source, shape, both, [=](const context& ctx) -> result<call> {
              return hadamard_quantize_call(rules_of(both), tensor_along(ctx, dtype, axis, 19, kLengths[i]),
                                            indices_of("zeroed", {0, 5, 18}));
            });
          }
}

void add_transform_paths(any_adder& adder) {
  for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
    for (const int axis : {0, 1})
      for (size_t i = 0; i < kLengths.size(); ++i) {
        const std::string rules = fmt::format("pad=zero,{}", kTransforms[i]);
        adder.add(stage::hadamard, fmt::format("paths.{}.axis{}", type_name(dtype), axis), fmt::format("19x{}", kLengths[i]),
                  rules, [=](const context& ctx) -> result<call> {
                    return hadamard_call(rules_of(rules), tensor_along(ctx, dtype, axis, 19, kLengths[i]), axis == 0);
                  });
      }
}

void add_selection_paths(any_adder& adder) {
  for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
    for (const int axis : {0, 1})
      for (const int window : {32, 64})
        for (const int64_t length : {5, 13, 21, 29, 37, 45, 53, 61, 70}) {
          const std::string rules = fmt::format("pad=zero,oe_k=2,foid_window={}", window);
          adder.add(stage::edge_foid, fmt::format("paths.{}.axis{}", type_name(dtype), axis),
                    fmt::format("19x{}", length), rules, [=](const context& ctx) -> result<call> {
                      return select_outliers_call(rules_of(rules), tensor_along(ctx, dtype, axis, 19, length));
                    });
        }
}

// Blocks of K: each number in a step of eight, and steps enough for a loop that fills one stage while it multiplies
// another.
constexpr std::array<int64_t, 14> kBlocks{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 24, 32, 41};
// Scale bytes with which an instruction may scale in FP32, and with which it may not.
struct byte_window {
  const char* name;
  int low, high;
};
constexpr std::array<byte_window, 3> kWindows{{{"narrow", 124, 130}, {"wide", 90, 165}, {"every", 0, 254}}};

void add_product_paths(any_adder& adder) {
  for (const int64_t blocks : kBlocks)
    for (const byte_window& w : kWindows)
      for (const bool native : {false, true}) {
        const adahop_dtype dtype = blocks % 2 == 0 ? ADAHOP_BF16 : ADAHOP_F32;
        // With n = 20 four neighbours of a row are one aligned store, with 19 not.
        const product_shape shape{33, 32 * blocks, blocks % 4 < 2 ? 20 : 19};
        adder.add(native ? stage::native_mx_gemm : stage::edge_mx_gemm, fmt::format("paths-{}.{}", w.name, type_name(dtype)),
                  text(shape), "default", [=](const context& ctx) -> result<call> {
                    const mx_input a = random_codes(ctx.seed, "a", shape.m, shape.k, w.low, w.high, 0);
                    const mx_input b = random_codes(ctx.seed, "b", shape.n, shape.k, w.low, w.high, 0);
                    const call c = mx_gemm_call(default_policy(), a, b, dtype, blocks % 3 == 0);
                    if (!native) return c;
                    return in_native_mode(ctx, c, &c);
                  });
      }
  for (const product_shape shape : {product_shape{3, 0, 5}, product_shape{33, 96, 1}})
    for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
      for (const bool native : {false, true})
        adder.add(native ? stage::native_mx_gemm : stage::edge_mx_gemm, fmt::format("paths-edge.{}", type_name(dtype)),
                  text(shape), "default", [=](const context& ctx) -> result<call> {
                    const mx_input a = random_codes(ctx.seed, "a", shape.m, shape.k, 127, 127, 0);
                    const mx_input b = random_codes(ctx.seed, "b", shape.n, shape.k, 127, 127, 0);
                    const call c = mx_gemm_call(default_policy(), a, b, dtype, dtype == ADAHOP_BF16);
                    if (!native) return c;
                    return in_native_mode(ctx, c, &c);
                  });
  // Shuffled scales, of which a portable kernel reads the bytes where they lie.
  const policy shuffled = rules_of("scale_layout=gfx950_shuffle");
  for (const bool native : {false, true})
    for (const int64_t blocks : {3, 9})
      adder.add(native ? stage::native_mx_gemm : stage::edge_mx_gemm, "paths.f32", fmt::format("33x{}x17", 32 * blocks),
                "scale_layout=gfx950_shuffle", [=](const context& ctx) -> result<call> {
                  const auto codes = [&](const char* name, int64_t rows) {
                    const view_input x = tensor_along(ctx, ADAHOP_F32, 1, rows, 32 * blocks);
                    return reference_codes(ctx, quantize_call(shuffled, x), name);
                  };
                  ADAHOP_ASSIGN(a, codes("a", 33));
                  ADAHOP_ASSIGN(b, codes("b", 17));
                  const call c = mx_gemm_call(shuffled, std::move(a), std::move(b), ADAHOP_F32, false);
                  if (!native) return c;
                  return in_native_mode(ctx, c, &c);
                });
}

// Outliers: their number, up to which a thread multiplies them differently; K by whole steps, with a rest, and by elements
// where it is no multiple of eight; stores as above; scales that no instruction may take.
struct outlier_product {
  source what;
  product_shape shape;
  const char* rules;
};
constexpr std::array<outlier_product, 17> kOutlierProducts{{
    {source::uniform, {40, 32, 48}, "oe_k=1"},
    {source::uniform, {40, 64, 51}, "oe_k=2"},
    {source::uniform, {33, 96, 36}, "oe_k=3,output=f32"},
    {source::uniform, {33, 160, 35}, "oe_k=5"},
    {source::uniform, {33, 192, 19}, "oe_k=7,output=f32"},
    {source::uniform, {40, 800, 48}, "oe_k=8"},
    {source::uniform, {140, 1056, 33}, "oe_k=33"},
    {source::uniform, {40, 807, 48}, "oe_k=8,pad=zero"},
    {source::uniform, {33, 70, 19}, "oe_k=4,output=f32,pad=zero"},
    {source::uniform, {33, 70, 19}, "oe_k=1,pad=zero"},
    {source::uniform, {33, 97, 20}, "oe_k=8,output=f32,pad=zero"},
    {source::uniform, {140, 96, 140}, "oe_k=1"},  // a tile without outliers
    {source::uniform, {33, 64, 1}, "oe_k=1"},
    {source::uniform, {33, 64, 2}, "oe_k=1"},
    {source::uniform, {1, 64, 33}, "oe_k=1"},
    {source::huge, {33, 96, 36}, "oe_k=3"},
    {source::subnormal, {33, 288, 19}, "oe_k=3,output=f32"},
}};
// OE-left and OE-right at level 1.
constexpr std::array<pattern_pair, 2> kOutlierPairs{{{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                                     {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}}};

void add_outlier_paths(const suite_options& options, case_list& out) {
  if (options.override_policy) return;
  for (const pattern_pair pair : kOutlierPairs)
    for (const outlier_product& o : kOutlierProducts) {
      product_case p{pair, ADAHOP_PATH_FORWARD, {o.rules, rules_of(o.rules)}, fmt::format("paths-{}", source_name(o.what)),
                     text(o.shape), false, {}};
      p.make = [=](const context& ctx) -> result<operands> {
        return synthetic_operands(o.what, o.shape, pair, ADAHOP_PATH_FORWARD, ctx.seed, false);
      };
      add_whole_cases(p, out);
      add_native_product_cases(p, out);
    }
}

}  // namespace

void add_path_cases(const suite_options& options, case_list& out) {
  any_adder adder(out);
  add_quantize_paths(adder);
  add_transform_paths(adder);
  add_selection_paths(adder);
  add_product_paths(adder);
  add_outlier_paths(options, out);
}

}  // namespace adahop::conformance
