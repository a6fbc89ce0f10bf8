// What no other case showed of a fault in the tuned kernels of gfx950: a mutant of fuzz/mutants/gfx950 survived without it.
// A tile used to its last column over a K that is long enough for the double-buffered loop; scale bytes out of the
// instruction's range in one operand alone, beside zero blocks or late in K; matrices in device memory whose rows begin
// aligned and end within an aligned access; outliers that are NaN in an FP32 output. Implements the suite's side of SPEC 1.4,
// 10.2-10.6, 10.9, 11.2, 11.3, 13.7, 13.11.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"
#include "conformance/suites/native_facts.h"
#include "conformance/suites/product_cases.h"

namespace adahop::conformance {
namespace {

struct byte_range {
  int low, high;
};
constexpr byte_range kNarrow{124, 130};

mx_input codes_of(const context& ctx, const char* name, int64_t rows, int64_t k, byte_range bytes) {
  return random_codes(ctx.seed, name, rows, k, bytes.low, bytes.high, 0);
}

void add_product(any_adder& adder, const std::string& source, const product_shape& s,
                 std::function<std::pair<mx_input, mx_input>(const context&)> make) {
  adder.add(stage::edge_mx_gemm, source + ".f32", text(s), "default", [make = std::move(make)](const context& ctx) -> result<call> {
    auto [a, b] = make(ctx);
    return mx_gemm_call(default_policy(), std::move(a), std::move(b), ADAHOP_F32, false);
  });
}

// All 128 x 128 outputs of a tile, 25 blocks of K: three whole steps and a rest.
constexpr product_shape kWholeTile{128, 800, 128};

void add_whole_tiles(any_adder& adder) {
  for (const bool native : {false, true})
    adder.add(native ? stage::native_mx_gemm : stage::edge_mx_gemm, "whole-tile.f32", text(kWholeTile), "default",
              [=](const context& ctx) -> result<call> {
                // In native mode so narrow that every output is certified.
                const byte_range bytes = native ? byte_range{126, 128} : kNarrow;
                const call c = mx_gemm_call(default_policy(), codes_of(ctx, "a", kWholeTile.m, kWholeTile.k, bytes),
                                            codes_of(ctx, "b", kWholeTile.n, kWholeTile.k, bytes), ADAHOP_F32, false);
                if (!native) return c;
                return in_native_mode(ctx, c, &c);
              });
}

// One operand as an instruction may scale it, the other so that terms overflow with both signs, or fall below 2^-149.
void add_one_wide_operand(any_adder& adder) {
  struct ranges {
    const char* name;
    byte_range inside, outside;
  };
  for (const ranges& r : {ranges{"high", kNarrow, {240, 254}}, ranges{"low", {65, 70}, {0, 30}}})
    for (const bool wide_a : {true, false})
      add_product(adder, fmt::format("{}-scales-in-{}-alone", r.name, wide_a ? "a" : "b"), {33, 160, 20}, [=](const context& ctx) {
        return std::pair{codes_of(ctx, "a", 33, 160, wide_a ? r.outside : r.inside),
                         codes_of(ctx, "b", 20, 160, wide_a ? r.inside : r.outside)};
      });
}

// `x` with 0 in its odd blocks, at scale 1.
mx_input without_odd_blocks(const mx_input& x) {
  auto m = std::make_shared<mx_matrix>(x.mx.outer, x.mx.inner);
  const int64_t blocks = m->inner / kBlockSize;
  for (int64_t i = 0; i < m->outer * blocks; ++i) {
    const bool odd = i % blocks % 2 != 0;
    m->scales[static_cast<size_t>(i)] = odd ? uint8_t{kE8m0Bias} : x.mx.scales[i];
    if (!odd) std::copy_n(x.mx.codes + i * kBlockBytes, kBlockBytes, m->codes.begin() + i * kBlockBytes);
  }
  const adahop_mx view = view_of(*m);
  return {x.name, view, std::move(m)};
}

void add_wide_blocks(any_adder& adder) {
  add_product(adder, "low-scales-beside-zero-blocks", {33, 128, 20}, [](const context& ctx) {
    return std::pair{without_odd_blocks(codes_of(ctx, "a", 33, 128, {30, 40})), codes_of(ctx, "b", 20, 128, {65, 70})};
  });
  // 66 blocks: eight whole steps, which scales are looked at together, before those that overflow.
  add_product(adder, "high-scales-late-in-k", {17, 2112, 20}, [](const context& ctx) {
    const auto late = [&](const char* name, int64_t rows) {
      const mx_input narrow = codes_of(ctx, name, rows, 2112, kNarrow), high = codes_of(ctx, name, rows, 2112, {230, 254});
      auto m = std::make_shared<mx_matrix>(rows, 2112);
      std::copy_n(narrow.mx.codes, m->codes.size(), m->codes.begin());
      for (int64_t i = 0; i < rows * 66; ++i)
        m->scales[static_cast<size_t>(i)] = (i % 66 < 64 ? narrow : high).mx.scales[i];
      const adahop_mx view = view_of(*m);
      return mx_input{name, view, std::move(m)};
    };
    return std::pair{late("a", 17), late("b", 20)};
  });
}

struct outlier_product {
  source what;
  product_shape shape;
  const char* rules;
};
constexpr std::array<outlier_product, 2> kOutlierProducts{{
    {source::uniform, kWholeTile, "oe_k=8"},
    {source::nonfinite, {33, 96, 36}, "oe_k=4,output=f32"},  // rows with NaN are chosen first
}};
constexpr std::array<pattern_pair, 2> kOutlierPairs{{{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                                     {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}}};

void add_outlier_products(const suite_options& options, case_list& out) {
  if (options.override_policy) return;
  for (const pattern_pair pair : kOutlierPairs)
    for (const outlier_product& o : kOutlierProducts) {
      const policy rules = parse_policy(o.rules, default_policy()).value();
      product_case p{pair, ADAHOP_PATH_FORWARD, {o.rules, rules}, std::string(source_name(o.what)), text(o.shape), false, {}};
      p.make = [=](const context& ctx) -> result<operands> {
        return synthetic_operands(o.what, o.shape, pair, ADAHOP_PATH_FORWARD, ctx.seed, false);
      };
      add_whole_cases(p, out);
    }
}

// Operands of 803 elements in rows of 808, outputs of 17 in rows of 20. In host memory the pipeline would close the gaps.
void add_device_rows(any_adder& adder) {
  for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16}) {
    const char* const type = dtype == ADAHOP_BF16 ? "bf16" : "f32";
    adder.add(stage::device_memory, fmt::format("mx-gemm.{}", type), "33x96x17", "default", [=](const context& ctx) -> result<call> {
      call c = mx_gemm_call(default_policy(), codes_of(ctx, "a", 33, 96, kNarrow), codes_of(ctx, "b", 17, 96, kNarrow), dtype, false);
      c.memory = ADAHOP_MEMORY_DEVICE;
      return c;
    });
    for (const pattern_pair pair : kOutlierPairs) {
      const std::string rules = fmt::format("oe_k=4,pad=zero,output={}", type);
      adder.add(stage::device_memory, fmt::format("{}{}.level1", letter(pair.left), letter(pair.right)), "33x803x17", rules,
                [=](const context& ctx) -> result<call> {
                  const operands o = synthetic_operands(source::uniform, {33, 803, 17}, pair, ADAHOP_PATH_FORWARD, ctx.seed, true);
                  call c = matmul_call(parse_policy(rules, default_policy()).value(),
                                       {1, pair.left, pair.right, ADAHOP_PATH_FORWARD}, o.a, o.b, false);
                  c.memory = ADAHOP_MEMORY_DEVICE;
                  return c;
                });
    }
  }
}

}  // namespace

void add_mutant_gfx950_cases(const suite_options& options, case_list& out) {
  any_adder adder(out);
  add_whole_tiles(adder);
  add_one_wide_operand(adder);
  add_wide_blocks(adder);
  add_outlier_products(options, out);
  add_device_rows(adder);
}

}  // namespace adahop::conformance
