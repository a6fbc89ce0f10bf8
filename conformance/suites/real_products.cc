// The products on real tensors, and their verdicts against the manifest.
#include <fmt/format.h>

#include <bit>
#include <limits>

#include "conformance/suites/chain.h"
#include "conformance/suites/product_cases.h"
#include "conformance/suites/real_data.h"

namespace adahop::conformance {
namespace {

// At most so much of a layer; in x and out stay above the 64 rows or columns that the default extracts.
struct crop {
  int64_t tokens, in, out;
};
constexpr crop kMustpassCrop{96, 160, 128};
constexpr crop kWhole{std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max(),
                      std::numeric_limits<int64_t>::max()};

product_shape shape_of(const known_layer& l, const crop& c, adahop_path path) {
  const int64_t t = std::min(l.tokens, c.tokens), i = std::min(l.in, c.in), o = std::min(l.out, c.out);
  if (path == ADAHOP_PATH_FORWARD) return {t, i, o};
  if (path == ADAHOP_PATH_DX) return {t, o, i};
  return {o, t, i};
}

product_case case_of(const known_layer& layer, const crop& c, pattern_pair pair, adahop_path path,
                     const suite_options& options) {
  named_policy rules{"default", default_policy()};
  if (options.override_policy) rules = {options.override_name, *options.override_policy};
  product_case p{pair, path, rules, std::string(layer.name), text(shape_of(layer, c, path)), true, {}};
  p.make = [name = layer.name, c, path](const context& ctx) -> result<operands> {
    const real_layer& l = ctx.data->layers.find(name)->second;
    return operands_of(path, cropped(*l.x, c.tokens, c.in), cropped(*l.w, c.out, c.in),
                       cropped(*l.gy, c.tokens, c.out));
  };
  return p;
}

// The manifest's numbers are another implementation's (NumPy); the reference must agree bit for bit.
void check_stated(const stated_pattern& stated, outcome& o) {
  const uint64_t verdict = output_of(o.expected, "verdict").bits(0, 0);
  const uint64_t row = output_of(o.expected, "cv").bits(0, 0), col = output_of(o.expected, "cv").bits(0, 1);
  if (verdict == static_cast<uint64_t>(stated.pattern) && row == std::bit_cast<uint64_t>(stated.cv_row) &&
      col == std::bit_cast<uint64_t>(stated.cv_col))
    return;
  o.what = verdict::failed;
  o.reason = fmt::format("the manifest states {} {} / {}, the reference gives {} {} / {}", name(stated.pattern),
                         stated.cv_row, stated.cv_col, name(static_cast<adahop_pattern>(verdict)),
                         std::bit_cast<double>(row), std::bit_cast<double>(col));
}

// Pattern of a whole tensor, filed under the pair and path that it takes part in.
void add_verdict(const known_layer& layer, adahop_path path, bool left,
                 std::shared_ptr<const tensor> real_layer::*which, stated_pattern real_layer::*stated, case_list& out) {
  const pattern_pair pair = pair_of_path(path, layer.x, layer.w, layer.gy);
  test_case c;
  const int64_t rows = which == &real_layer::w ? layer.out : layer.tokens;
  const int64_t cols = which == &real_layer::gy ? layer.out : layer.in;
  c.name = fmt::format("{}{}/pattern.{}.{}/{}/whole-{}x{}/default", letter(pair.left), letter(pair.right),
                       left ? "left" : "right", name(path), layer.name, rows, cols);
  c.pair = pair;
  c.where = stage::pattern;
  c.needs_data = true;
  c.prepare = [=, layer_name = layer.name](const context& ctx) -> result<call> {
    return pattern_call(default_policy(), input_of("x", ctx.data->layers.find(layer_name)->second.*which));
  };
  c.inspect = [=, layer_name = layer.name](const context& ctx, outcome& o) {
    check_stated(ctx.data->layers.find(layer_name)->second.*stated, o);
  };
  out.push_back(std::move(c));
}

void add_layer(const known_layer& layer, const crop& c, const suite_options& options, case_list& out) {
  for (const adahop_path path : kPaths) {
    const pattern_pair own = pair_of_path(path, layer.x, layer.w, layer.gy);
    add_stage_cases(case_of(layer, c, own, path, options), out);
    for (const pattern_pair pair : kAllPairs) add_whole_cases(case_of(layer, c, pair, path, options), out);
  }
}

}  // namespace

void add_real_products(const suite_options& options, case_list& out) {
  for (const known_layer& layer : known_layers()) {
    add_verdict(layer, ADAHOP_PATH_FORWARD, true, &real_layer::x, &real_layer::x_stated, out);
    add_verdict(layer, ADAHOP_PATH_FORWARD, false, &real_layer::w, &real_layer::w_stated, out);
    add_verdict(layer, ADAHOP_PATH_DX, true, &real_layer::gy, &real_layer::gy_stated, out);
    add_layer(layer, kMustpassCrop, options, out);
    if (options.suite == suite_name::full) add_layer(layer, kWhole, options, out);
  }
}

}  // namespace adahop::conformance
