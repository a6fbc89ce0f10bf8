// MX product, BF16 product and scatter-add on the edges of their number ranges. Implements the suite's side of SPEC
// chapter 10.
#include <fmt/format.h>

#include "conformance/suites/any_cases.h"
#include "conformance/suites/chain.h"
#include "conformance/suites/edge_tensors.h"

namespace adahop::conformance {
namespace {

using make_pair_of_codes = std::function<std::pair<mx_input, mx_input>(const context&)>;

struct mx_edge {
  const char* name;
  const char* shape;
  make_pair_of_codes make;
};

std::pair<mx_input, mx_input> random_pair(uint64_t seed, int64_t m, int64_t k, int64_t n, int low, int high,
                                          int nan_every) {
  return {random_codes(seed, "a", m, k, low, high, nan_every), random_codes(seed, "b", n, k, low, high, nan_every)};
}

const std::vector<mx_edge>& mx_edges() {
  static const std::vector<mx_edge> edges = {
      {"all-byte-pairs", "256x32x256",
       [](const context& c) {
         return std::pair{every_byte(c.seed, "a"), every_byte(c.seed, "b")};
       }},
      {"all-code-pairs", "16x32x16",
       [](const context&) {
         return std::pair{every_code("a"), every_code("b")};
       }},
      {"all-codes-and-bytes", "256x32x16",
       [](const context&) {
         return std::pair{every_code_and_byte(), every_code("b")};
       }},
      {"mixed-exponents", "40x160x24", [](const context& c) { return random_pair(c.seed, 40, 160, 24, 90, 165, 0); }},
      {"close-exponents", "33x256x17", [](const context& c) { return random_pair(c.seed, 33, 256, 17, 125, 129, 0); }},
      {"overflow", "24x128x24", [](const context& c) { return random_pair(c.seed, 24, 128, 24, 182, 192, 0); }},
      {"huge", "24x128x24", [](const context& c) { return random_pair(c.seed, 24, 128, 24, 230, 254, 0); }},
      {"underflow", "24x128x24", [](const context& c) { return random_pair(c.seed, 24, 128, 24, 40, 66, 0); }},
      {"tiny", "24x96x24", [](const context& c) { return random_pair(c.seed, 24, 96, 24, 0, 20, 0); }},
      {"nan-scales", "40x160x40", [](const context& c) { return random_pair(c.seed, 40, 160, 40, 100, 150, 40); }},
      {"cancellation", "20x192x20",
       [](const context& c) {
         auto [a, b] = random_pair(c.seed, 20, 96, 20, 120, 134, 0);
         return std::pair{beside_itself(a), beside_negative(b)};
       }},
      {"k0", "3x0x5", [](const context& c) { return random_pair(c.seed, 3, 0, 5, 127, 127, 0); }},
      {"m1", "1x96x40", [](const context& c) { return random_pair(c.seed, 1, 96, 40, 120, 134, 0); }},
      {"n1", "40x96x1", [](const context& c) { return random_pair(c.seed, 40, 96, 1, 120, 134, 0); }},
  };
  return edges;
}

std::string output_text(adahop_dtype dtype) { return dtype == ADAHOP_BF16 ? "bf16" : "f32"; }

void add_mx_edges(any_adder& adder) {
  for (const mx_edge& edge : mx_edges())
    for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16})
      adder.add(stage::edge_mx_gemm, fmt::format("{}.{}", edge.name, output_text(dtype)), edge.shape, "default",
                [make = edge.make, dtype](const context& ctx) -> result<call> {
                  auto [a, b] = make(ctx);
                  return mx_gemm_call(default_policy(), std::move(a), std::move(b), dtype, dtype == ADAHOP_BF16);
                });
}

void add_bf16_edges(any_adder& adder) {
  const std::vector<product_shape> shapes = {{1, 32, 1}, {17, 96, 33}, {64, 160, 40}, {130, 33, 7}, {5, 0, 4}};
  for (const product_shape& s : shapes)
    for (const source what : {source::spread, source::grid, source::subnormal, source::huge, source::nonfinite})
      for (const adahop_dtype dtype : {ADAHOP_F32, ADAHOP_BF16}) {
        if (s.k == 0 && what != source::spread) continue;
        adder.add(stage::edge_bf16_gemm, fmt::format("{}.{}", source_name(what), output_text(dtype)), text(s),
                  "default", [=](const context& ctx) -> result<call> {
                    // B is spread for subnormal A, so that products are subnormal and not all zero.
                    const source other = what == source::subnormal ? source::spread : what;
                    const auto a = generate({what, s.m, s.k, ADAHOP_PATTERN_NONE, ADAHOP_BF16, true}, ctx.seed, "a");
                    const auto b = generate({other, s.k, s.n, ADAHOP_PATTERN_NONE, ADAHOP_BF16, false}, ctx.seed, "b");
                    return bf16_gemm_call(default_policy(), input_of("a", a), transposed_input_of("b", b), dtype,
                                          dtype == ADAHOP_BF16);
                  });
      }
}

void add_scatter_edges(any_adder& adder) {
  constexpr int32_t kRows = 21, kCols = 35;
  for (const adahop_side side : {ADAHOP_SIDE_LEFT, ADAHOP_SIDE_RIGHT}) {
    const int32_t lines = side == ADAHOP_SIDE_LEFT ? kRows : kCols;
    std::vector<int32_t> every;
    for (int32_t i = 0; i < lines; ++i) every.push_back(i);
    const std::vector<std::pair<std::string, std::vector<int32_t>>> lists = {
        {"none", {}}, {"first", {0}}, {"last", {lines - 1}}, {"some", {2, 3, 11, 19}}, {"all", every}};
    for (const auto& [which, list] : lists)
      for (const source what : {source::spread, source::nonfinite, source::huge})
        for (const int form : {0, 1, 2}) {
          const char* forms[] = {"f32", "bf16", "in-place"};
          adder.add(
              stage::edge_scatter_add,
              fmt::format("{}-{}.{}.{}", side == ADAHOP_SIDE_LEFT ? "rows" : "columns", which, source_name(what),
                          forms[form]),
              fmt::format("{}x{}", kRows, kCols), "default", [=, indices = list](const context& ctx) -> result<call> {
                const auto count = static_cast<int64_t>(indices.size());
                const int64_t m = side == ADAHOP_SIDE_LEFT ? count : kRows,
                              n = side == ADAHOP_SIDE_LEFT ? kCols : count;
                const auto c = generate({what, kRows, kCols, ADAHOP_PATTERN_NONE, ADAHOP_F32, true}, ctx.seed, "c");
                const auto o = generate({what, m, n, ADAHOP_PATTERN_NONE, ADAHOP_F32, false}, ctx.seed, "outlier");
                return scatter_add_call(default_policy(), input_of("c", c), input_of("outlier", o),
                                        indices_of("indices", indices), side, form == 1 ? ADAHOP_BF16 : ADAHOP_F32,
                                        form == 2);
              });
        }
  }
}

}  // namespace

void add_product_edge_cases(case_list& out) {
  any_adder adder(out);
  add_mx_edges(adder);
  add_bf16_edges(adder);
  add_scatter_edges(adder);
}

}  // namespace adahop::conformance
