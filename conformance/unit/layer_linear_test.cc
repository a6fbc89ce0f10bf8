// A linear layer by stage operations against the backend's whole products, and what it saves. The reference and
// hip-cpu.
#include <fmt/format.h>

#include "adahop/layer/linear.h"
#include "conformance/backends/registry.h"
#include "reference_support.h"
#include "repetitions.h"

using namespace adahop;
using namespace adahop::layer;
using namespace adahop::test;

namespace {

constexpr int64_t kTokens = 96, kIn = 64, kOut = 160;
constexpr adahop_pattern kPatterns[] = {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN};

const adahop_backend& backend(const char* name) {
  const auto table = conformance::open_backend(name);
  REQUIRE(table.ok());
  return *table.value();
}

// An output of either type, compared as bytes.
struct output {
  matrix<float> wide;
  matrix<bf16> half;
  bool is_wide;

  output(const policy& p, int64_t rows, int64_t cols) : is_wide(p.output == ADAHOP_F32) {
    if (is_wide) wide = matrix<float>(rows, cols);
    else half = matrix<bf16>(rows, cols);
  }
  adahop_view view() { return is_wide ? view_of(wide) : view_of(half); }
  std::vector<uint32_t> bits() const {
    std::vector<uint32_t> out;
    for (const float v : wide.data) out.push_back(bits_of(v));
    for (const bf16 v : half.data) out.push_back(v.bits);
    return out;
  }
};

struct tensors {
  matrix<bf16> x, w, gy;
};

// Rows of different sizes, so that the outliers chosen are few and not the first ones.
tensors random_layer(uint64_t seed, int64_t tokens = kTokens, int64_t in = kIn, int64_t out = kOut) {
  generator random(seed);
  tensors t{random_bf16(random, tokens, in), random_bf16(random, out, in), random_bf16(random, tokens, out)};
  for (matrix<bf16>* m : {&t.x, &t.w, &t.gy})
    for (int64_t r = 0; r < m->rows; ++r)
      for (int64_t c = 0; c < m->cols; ++c)
        if (r % 11 == 7 || c % 13 == 5) m->at(r, c).bits = static_cast<uint16_t>(m->at(r, c).bits + (5 << 7));
  return t;
}

struct products {
  std::vector<uint32_t> y, gx, gw;
};

products by_linear(const adahop_backend& on, const linear_rules& rules, tensors t, linear_saved* kept = nullptr) {
  const policy& p = rules.numerics;
  output y(p, t.x.rows, t.w.rows), gx(p, t.x.rows, t.x.cols), gw(p, t.w.rows, t.w.cols);
  const auto saved = linear_forward(on, rules, view_of(t.x), view_of(t.w), y.view());
  INFO(saved.why().message());
  REQUIRE(saved.ok());
  // Backward must not look at X and W again.
  t.x = matrix<bf16>();
  for (bf16& v : t.w.data) v.bits = 0x7FC0;
  const status s = linear_backward(on, saved.value(), view_of(t.gy), gx.view(), gw.view());
  INFO(s.message());
  REQUIRE(s.ok());
  if (kept != nullptr) *kept = saved.value();
  return {y.bits(), gx.bits(), gw.bits()};
}

// The three products by the C ABI's matmul, operands turned as SPEC 8.1 says, written out.
products by_matmul(const adahop_backend& on, const linear_rules& rules, int level, const tensors& t) {
  const policy& p = rules.numerics;
  const conformance::caller call(&on);
  const auto product = [&](adahop_path path, adahop_pattern left, adahop_pattern right, const adahop_view& a,
                           const adahop_view& b) {
    output c(p, a.rows, b.rows);
    const status s = call.run(adahop_matmul_args{&p, level, left, right, path, a, b, c.view()});
    INFO(s.message());
    REQUIRE(s.ok());
    return c.bits();
  };
  const auto [x, w, gy] = rules.patterns;
  return {product(ADAHOP_PATH_FORWARD, x, opposite(w), view_of(t.x), view_of(t.w)),
          product(ADAHOP_PATH_DX, gy, w, view_of(t.gy), transposed(view_of(t.w))),
          product(ADAHOP_PATH_DW, opposite(gy), x, transposed(view_of(t.gy)), transposed(view_of(t.x)))};
}

void check_equal(const products& a, const products& b) {
  CHECK(a.y == b.y);
  CHECK(a.gx == b.gx);
  CHECK(a.gw == b.gw);
}

// A Latin square: of the three tensors, any two have each pair of patterns once, so every path meets all nine pairs.
layer_patterns nine_patterns(size_t i) { return {kPatterns[i / 3], kPatterns[i % 3], kPatterns[(i / 3 + i) % 3]}; }

}  // namespace

TEST_CASE("linear: forward and backward are the whole products, on the reference and on hip-cpu, with the same bytes",
          "[spec:11.8][spec:11.10][spec:8.3][spec:1.1]") {
  const adahop_backend &reference = backend("reference"), &hip = backend("hip-cpu");
  const tensors t = random_layer(1);
  case_picker picked;
  for (size_t i = 0; i < 9; ++i)
    for (const method how : {method::adahop_lv1, method::adahop_lv2})
      for (const char* left_oe : {"published", "port"}) {
        if (!picked.runs()) continue;
        const linear_rules rules{how, nine_patterns(i), policy_with(fmt::format("oe_k=8,left_oe_on_dw={}", left_oe))};
        CAPTURE(rules.patterns.x, rules.patterns.w, rules.patterns.gy, name(how), left_oe);
        const products found = by_linear(reference, rules, t);
        check_equal(found, by_matmul(reference, rules, how == method::adahop_lv2 ? 2 : 1, t));
        check_equal(found, by_linear(hip, rules, t));
        check_equal(found, by_matmul(hip, rules, how == method::adahop_lv2 ? 2 : 1, t));
      }
}

TEST_CASE("linear: other policies", "[spec:11.10]") {
  const adahop_backend& on = backend("reference");
  const tensors t = random_layer(3);
  for (const char* line : {"output=f32", "scale_rule=floor,hadamard_output=f32,oe_k=3",
                           "scale_rule=rceil,min_scale_byte=1", "oe_k=1000", "foid_window=32,oe_k=8"})
    for (const layer_patterns& patterns :
         {layer_patterns{ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW},
          layer_patterns{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN}}) {
      CAPTURE(line, patterns.x, patterns.gy);
      const linear_rules rules{method::adahop_lv1, patterns, policy_with(line)};
      check_equal(by_linear(on, rules, t), by_matmul(on, rules, 1, t));
    }
}

TEST_CASE("linear: policies that a backend may decline, where the reference claims them", "[spec:11.10][spec:5.22]") {
  const adahop_backend& on = backend("reference");
  const tensors even = random_layer(4, 128, 128, 128), odd = random_layer(5, 70, 50, 90);
  struct {
    const char* line;
    bool claimed;
    const tensors& t;
  } cases[] = {
      {"element_rounding=stochastic(8,7,3),oe_k=8",
       (on.capabilities.element_roundings >> ADAHOP_ROUND_STOCHASTIC & 1u) != 0, even},
      {"element_rounding=gfx950_sr(7),oe_k=8", (on.capabilities.element_roundings >> ADAHOP_ROUND_GFX950_SR & 1u) != 0,
       even},
      {"hadamard_size=128,hadamard_signs=random(5),oe_k=8",
       (on.capabilities.hadamard_sizes >> 3 & 1u) != 0 &&
           (on.capabilities.hadamard_signs >> ADAHOP_SIGNS_RANDOM & 1u) != 0,
       even},
      {"gemm_model=exact_sum,oe_k=8", (on.capabilities.gemm_models >> ADAHOP_GEMM_EXACT_SUM & 1u) != 0, even},
      {"scale_layout=gfx950_shuffle,oe_k=8", (on.capabilities.scale_layouts >> ADAHOP_LAYOUT_GFX950_SHUFFLE & 1u) != 0,
       even},
      {"pad=zero,oe_k=8", (on.capabilities.pads >> ADAHOP_PAD_ZERO & 1u) != 0, odd},
      {"pad=zero,hadamard_size=64,element_rounding=stochastic(16,1,0),oe_k=8",
       (on.capabilities.pads >> ADAHOP_PAD_ZERO & 1u) != 0 && (on.capabilities.hadamard_sizes >> 2 & 1u) != 0 &&
           (on.capabilities.element_roundings >> ADAHOP_ROUND_STOCHASTIC & 1u) != 0,
       odd},
  };
  // IHT, OE-left, OE-right, and IHT, OE-right, IHT on the three paths.
  for (const auto& c : cases)
    for (const layer_patterns& patterns :
         {layer_patterns{ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW},
          layer_patterns{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_ROW}}) {
      CAPTURE(c.line, patterns.x, patterns.w, patterns.gy);
      const linear_rules rules{method::adahop_lv1, patterns, policy_with(c.line)};
      if (c.claimed) {
        check_equal(by_linear(on, rules, c.t), by_matmul(on, rules, 1, c.t));
        continue;
      }
      output y(rules.numerics, c.t.x.rows, c.t.w.rows);
      CHECK(linear_forward(on, rules, view_of(c.t.x), view_of(c.t.w), y.view()).why().code() == ADAHOP_UNSUPPORTED);
    }
}

TEST_CASE("linear: named methods are what they say", "[spec:11.12]") {
  const adahop_backend& on = backend("reference");
  const conformance::caller call(&on);
  const tensors t = random_layer(6);
  const policy p = policy_with("oe_k=8");
  // Patterns under which AdaHOP would extract; the other methods do not look at them.
  const layer_patterns patterns{ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_ROW};
  const auto three = [&](const auto& product) {
    return products{product(view_of(t.x), view_of(t.w)), product(view_of(t.gy), transposed(view_of(t.w))),
                    product(transposed(view_of(t.gy)), transposed(view_of(t.x)))};
  };
  const auto in_bf16 = [&](const adahop_view& a, const adahop_view& b) {
    output c(p, a.rows, b.rows);
    REQUIRE(call.run(adahop_bf16_gemm_args{&p, a, b, c.view()}).ok());
    return c.bits();
  };
  const auto in_mxfp4 = [&](const adahop_view& a, const adahop_view& b) {
    mx_matrix qa(a.rows, a.cols), qb(b.rows, b.cols);
    output c(p, a.rows, b.rows);
    REQUIRE(call.run(adahop_quantize_args{&p, a, view_of(qa), nullptr}).ok());
    REQUIRE(call.run(adahop_quantize_args{&p, b, view_of(qb), nullptr}).ok());
    REQUIRE(call.run(adahop_mx_gemm_args{&p, view_of(qa), view_of(qb), c.view()}).ok());
    return c.bits();
  };
  const products bf16_products = by_linear(on, {method::bf16, patterns, p}, t);
  const products mxfp4_products = by_linear(on, {method::mxfp4, patterns, p}, t);
  const products hadamard = by_linear(on, {method::mxfp4_hadamard, patterns, p}, t);
  check_equal(bf16_products, three(in_bf16));
  check_equal(mxfp4_products, three(in_mxfp4));
  check_equal(hadamard, by_matmul(on, {method::mxfp4_hadamard, {}, p}, 1, t));
  CHECK(bf16_products.y != mxfp4_products.y);
  CHECK(mxfp4_products.y != hadamard.y);

  // One product alone, every method on every path.
  for (const method how : kAllMethods) {
    CAPTURE(name(how));
    const linear_rules rules{how, patterns, p};
    const products whole = by_linear(on, rules, t);
    for (const adahop_path path : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW}) {
      const auto [left, right] = operands_of(path, view_of(t.x), view_of(t.w), view_of(t.gy));
      output c(p, left.rows, right.rows);
      REQUIRE(run_product(on, p, how, rules.pair(path), path, left, right, c.view()).ok());
      CHECK(c.bits() == (path == ADAHOP_PATH_FORWARD ? whole.y : path == ADAHOP_PATH_DX ? whole.gx : whole.gw));
    }
  }
}

TEST_CASE("methods by name", "[spec:11.12]") {
  for (const method m : kAllMethods) {
    REQUIRE(parse_method(name(m)).ok());
    CHECK(parse_method(name(m)).value() == m);
  }
  CHECK(parse_method("adahop").why().code() == ADAHOP_INVALID_ARGUMENT);
  CHECK(parse_method("adahop").why().message() ==
        "method 'adahop': expected one of bf16, mxfp4, mxfp4_hadamard, adahop_lv1, adahop_lv2");
  for (const char* later : {"mxfp4_llm", "halo"}) CHECK(parse_method(later).why().code() == ADAHOP_UNSUPPORTED);
}

TEST_CASE("linear: shapes and types that do not fit are named", "[spec:11.8][spec:11.7]") {
  const adahop_backend& on = backend("reference");
  const tensors t = random_layer(7);
  const linear_rules rules{method::adahop_lv1, {}, policy_with("oe_k=8")};
  matrix<bf16> y(kTokens, kOut), gx(kTokens, kIn), gw(kOut, kIn), narrow(kOut, 32), odd(95, kIn), odd_y(95, kOut);
  matrix<float> wide(kTokens, kIn);
  const auto why = [&](const adahop_view& x, const adahop_view& w, const adahop_view& out) {
    return linear_forward(on, rules, x, w, out).why().message();
  };
  CHECK(why(view_of(t.x), view_of(narrow), view_of(y)) == "w: shape: expected 160 x 64, found 160 x 32");
  CHECK(why(view_of(wide), view_of(t.w), view_of(y)) == "x: dtype: expected BF16, found F32");
  CHECK(why(view_of(t.x), view_of(t.w), view_of(gx)) == "y: shape: expected 96 x 160, found 96 x 64");
  CHECK(why(view_of(odd), view_of(t.w), view_of(odd_y)) == "tokens: expected a positive multiple of 32, found 95");
  const auto saved = linear_forward(on, rules, view_of(t.x), view_of(t.w), view_of(y));
  REQUIRE(saved.ok());
  CHECK(linear_backward(on, saved.value(), view_of(t.x), view_of(gx), view_of(gw)).message() ==
        "gy: shape: expected 96 x 160, found 96 x 64");
  CHECK(linear_backward(on, saved.value(), view_of(t.gy), view_of(gw), view_of(gw)).message() ==
        "gx: shape: expected 96 x 64, found 160 x 64");
  // The method bf16 quantizes nothing, so any length will do.
  CHECK(linear_forward(on, {method::bf16, {}, rules.numerics}, view_of(odd), view_of(t.w), view_of(odd_y)).ok());
}
