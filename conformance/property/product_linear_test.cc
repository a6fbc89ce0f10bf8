// A linear layer is its three whole products, bit for bit, and what it saves for the backward pass is what SPEC 11.9 says.
#include <fmt/format.h>

#include <algorithm>

#include "adahop/layer/linear.h"
#include "catch.h"
#include "product_calls.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;
using layer::method;

namespace {

// X [T x I], W [O x I] and G_Y [T x O], their planned patterns, and a method that uses whole products.
struct layer_case {
  layer::linear_rules rules;
  tensor x, w, gy;
};

adahop_pattern pick_pattern(const char* name) {
  return static_cast<adahop_pattern>(pick_of(name, {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN}));
}

layer_case pick_layer(bool other_models) {
  layer_case c;
  policy_choice fields = policy_choice::all();
  fields.models = other_models;
  fields.pad = false;
  policy& p = c.rules.numerics;
  p = pick_policy("policy", fields);
  p.pad = pick_of("pad", {ADAHOP_PAD_ZERO, ADAHOP_PAD_ERROR});  // with padding a failing layer can become small
  c.rules.how = static_cast<method>(
      pick_of("method", {static_cast<int32_t>(method::adahop_lv1), static_cast<int32_t>(method::adahop_lv2),
                         static_cast<int32_t>(method::mxfp4_hadamard)}));
  c.rules.patterns = {pick_pattern("pattern of X"), pick_pattern("pattern of W"), pick_pattern("pattern of G_Y")};
  // Each dimension is the inner one of some product, so without padding all are multiples of the transform.
  const bool padded = p.pad == ADAHOP_PAD_ZERO;
  const int64_t unit = padded ? 1 : std::max<int64_t>(kBlockSize, p.hadamard_size);
  const int64_t most = padded ? 40 : std::max<int64_t>(1, 64 / unit);
  tensor_choice choice;
  choice.dtype = ADAHOP_BF16;
  choice.nonfinite = pick_integer("with NaN and Inf", 0, 4) == 1;
  choice.min_rows = choice.max_rows = unit * pick_integer("tokens", 1, most);
  choice.min_cols = choice.max_cols = unit * pick_integer("inputs", 1, most);
  choice.col_multiple = 1;
  c.x = pick_tensor("X", choice);
  choice.min_rows = choice.max_rows = unit * pick_integer("outputs", 1, most);
  c.w = pick_tensor("W", choice);
  choice.min_rows = choice.max_rows = c.x.rows;
  choice.min_cols = choice.max_cols = c.w.rows;
  c.gy = pick_tensor("G_Y", choice);
  return c;
}

whole_product product_for(const layer_case& c, adahop_path path) {
  whole_product x;
  x.rules = c.rules.numerics;
  x.level = c.rules.how == method::adahop_lv2 ? 2 : 1;
  x.path = path;
  const auto turned = [](adahop_pattern p) {
    return p == ADAHOP_PATTERN_NONE ? p : p == ADAHOP_PATTERN_ROW ? ADAHOP_PATTERN_COLUMN : ADAHOP_PATTERN_ROW;
  };
  const layer::layer_patterns& have = c.rules.patterns;
  switch (path) {  // SPEC 8.1, 8.3
    case ADAHOP_PATH_FORWARD: x.ab = {c.x, c.w}, x.pair = {have.x, turned(have.w)}; break;
    case ADAHOP_PATH_DX: x.ab = {c.gy, transpose(c.w)}, x.pair = {have.gy, have.w}; break;
    case ADAHOP_PATH_DW: x.ab = {transpose(c.gy), transpose(c.x)}, x.pair = {turned(have.gy), have.x}; break;
  }
  if (c.rules.how == method::mxfp4_hadamard) x.pair = {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE};
  return x;
}

// SPEC 11.9 and 11.11 for the right operand of a product.
int64_t saved_bytes(const whole_product& x) {
  const policy& p = x.rules;
  const int64_t n = x.ab.b.rows, k = x.ab.b.cols;
  const int64_t quantized = 17 * n * extended(p, k) / 32, operand = 2 * n * k, count = std::min<int64_t>(p.oe_k, n);
  switch (route_of(x)) {
    case route::iht: return quantized;
    case route::oe_right: return quantized + count * (2 * k + 4);
    case route::oe_left: return quantized + operand;
    case route::bf16: break;
  }
  return operand;
}

output_bits bits_of_output(const stored_tensor& stored, const policy& p) {
  const tensor t = stored.read();
  output_bits out(t.rows, t.cols);
  for (size_t i = 0; i < out.bits.size(); ++i) out.bits[i] = p.output == ADAHOP_F32 ? t.bits[i] : t.bits[i] >> 16;
  return out;
}

void require_three_products(const adahop_backend& on, const layer_case& c) {
  const policy& p = c.rules.numerics;
  const output_bits y = whole(on, product_for(c, ADAHOP_PATH_FORWARD)), gx = whole(on, product_for(c, ADAHOP_PATH_DX)),
                    gw = whole(on, product_for(c, ADAHOP_PATH_DW));
  stored_tensor gy(c.gy), out_y(tensor(p.output, y.rows, y.cols)), out_gx(tensor(p.output, gx.rows, gx.cols)),
      out_gw(tensor(p.output, gw.rows, gw.cols));
  std::optional<layer::linear_saved> saved;
  {
    // Backward has to do with what was saved: X and W are gone by then.
    stored_tensor x(c.x), w(c.w);
    auto forward = layer::linear_forward(on, c.rules, x.view(), w.view(), out_y.view());
    if (!forward.ok()) {
      // Forward quantizes W and X for the backward pass as well, so a NaN in any of these is refused here.
      require(forward.why().code() == ADAHOP_NONFINITE && p.nonfinite == ADAHOP_NONFINITE_REJECT, forward.why().message());
      require(y.status == ADAHOP_NONFINITE || gx.status == ADAHOP_NONFINITE || gw.status == ADAHOP_NONFINITE,
              "forward refused what no product refuses");
      return;
    }
    saved = std::move(forward).value();
  }
  require_same(bits_of_output(out_y, p), y, "Y");
  const layer::saved_bytes bytes = layer::bytes_of(*saved);
  require_equal(static_cast<uint64_t>(bytes.w.total()),
                static_cast<uint64_t>(saved_bytes(product_for(c, ADAHOP_PATH_DX))), "bytes of W");
  require_equal(static_cast<uint64_t>(bytes.x.total()),
                static_cast<uint64_t>(saved_bytes(product_for(c, ADAHOP_PATH_DW))), "bytes of X");
  const status backward = layer::linear_backward(on, *saved, gy.view(), out_gx.view(), out_gw.view());
  if (!backward.ok()) {
    require(backward.code() == ADAHOP_NONFINITE && p.nonfinite == ADAHOP_NONFINITE_REJECT, backward.message());
    require(gx.status == ADAHOP_NONFINITE || gw.status == ADAHOP_NONFINITE, "backward refused what no product refuses");
    return;
  }
  require_same(bits_of_output(out_gx, p), gx, "G_X");
  require_same(bits_of_output(out_gw, p), gw, "G_W");
}

}  // namespace

TEST_CASE("linear: the three whole products, on the reference",
          "[property][spec:8.1][spec:8.3][spec:11.8][spec:11.9][spec:11.10][spec:11.11]") {
  check_property("linear: the reference", 150, [] { require_three_products(the_reference(), pick_layer(true)); });
}

TEST_CASE("linear: the three whole products, on hip-cpu", "[property][spec:1.1][spec:11.8][spec:11.10]") {
  check_property("linear: hip-cpu", 60, [] { require_three_products(backend_named("hip-cpu"), pick_layer(false)); });
}
