// The four strategies step by step, their choice for all nine pairs, and what extraction guarantees.
#include "reference/matmul.h"

#include <algorithm>

#include "reference/bf16_gemm.h"
#include "reference/hadamard.h"
#include "reference/mx_gemm.h"
#include "reference/outliers.h"
#include "reference/quantize.h"
#include "reference/round_bf16.h"
#include "reference_support.h"

using namespace adahop;
using test::policy_with;

namespace {

constexpr int64_t kM = 33, kN = 40, kK = 96;

struct operands {
  matrix<bf16> a, b;
};

// Noise; every 8th row of both operands is much larger, so that extraction has something to find.
operands random_operands(uint64_t seed) {
  test::generator random(seed);
  operands o{test::random_bf16(random, kM, kK), test::random_bf16(random, kN, kK)};
  for (matrix<bf16>* m : {&o.a, &o.b})
    for (int64_t r = 3; r < m->rows; r += 8)
      for (int64_t c = 0; c < kK; ++c) m->at(r, c).bits = static_cast<uint16_t>(m->at(r, c).bits + (6 << 7));
  return o;
}

matrix<float> run(strategy s, const operands& o, std::string_view line) {
  matrix<float> out(o.a.rows, o.b.rows);
  const status why = reference::matmul(policy_with(line), s, view_of(o.a), view_of(o.b), view_of(out));
  INFO(why.message());
  REQUIRE(why.ok());
  return out;
}

// Transform with the rounding the policy asks for, then quantize: the operations in sequence, no fused one.
mx_matrix prepared(const policy& p, const matrix<bf16>& x) {
  mx_matrix q(x.rows, x.cols);
  matrix<bf16> narrow(x.rows, x.cols);
  matrix<float> wide(x.rows, x.cols);
  const adahop_view transformed = p.hadamard_output == ADAHOP_BF16 ? view_of(narrow) : view_of(wide);
  reference::hadamard(p, view_of(x), transformed);
  reference::quantize(p, transformed, view_of(q));
  return q;
}

matrix<float> iht_by_steps(const policy& p, const matrix<bf16>& a, const matrix<bf16>& b) {
  matrix<float> c(a.rows, b.rows);
  reference::mx_gemm(p, view_of(prepared(p, a)), view_of(prepared(p, b)), view_of(c));
  return c;
}

matrix<float> bf16_product(const matrix<bf16>& a, const matrix<bf16>& b) {
  matrix<float> c(a.rows, b.rows);
  reference::bf16_gemm(default_policy(), view_of(a), view_of(b), view_of(c));
  return c;
}

std::vector<int32_t> outliers_of(const policy& p, const matrix<bf16>& x) {
  return reference::top_k(reference::scores(p, view_of(x)), p.oe_k);
}

matrix<bf16> without_rows(matrix<bf16> x, const std::vector<int32_t>& rows) {
  for (const int32_t r : rows) std::fill_n(x.data.begin() + r * x.cols, x.cols, bf16{0});
  return x;
}

bool contains(const std::vector<int32_t>& v, int64_t i) { return std::find(v.begin(), v.end(), i) != v.end(); }

constexpr std::string_view kPolicies[] = {"output=f32,oe_k=4", "output=f32,oe_k=5,scale_rule=floor,hadamard_output=f32",
                                          "output=f32,oe_k=64,min_scale_byte=1", "output=f32,oe_k=1,scale_rule=rceil,foid_window=32"};

}  // namespace

TEST_CASE("IHT is transform, quantize, multiply", "[spec:11.1][spec:10.8]") {
  const operands o = random_operands(70);
  for (const std::string_view line : kPolicies) {
    const matrix<float> c = run(strategy::iht, o, line);
    CHECK(test::bits_of_all(c.data) == test::bits_of_all(iht_by_steps(policy_with(line), o.a, o.b).data));
  }
  matrix<bf16> narrow(kM, kN);
  REQUIRE(reference::matmul(default_policy(), strategy::iht, view_of(o.a), view_of(o.b), view_of(narrow)).ok());
  const matrix<float> c = iht_by_steps(default_policy(), o.a, o.b);
  for (size_t i = 0; i < c.data.size(); ++i) CHECK(narrow.data[i].bits == reference::round_bf16(c.data[i]).bits);
}

TEST_CASE("OE-left and OE-right by their steps", "[spec:11.2][spec:11.3][spec:11.5][spec:9.7][spec:9.8]") {
  const operands o = random_operands(71);
  for (const std::string_view line : kPolicies) {
    const policy p = policy_with(line);
    const matrix<float> full = bf16_product(o.a, o.b);
    for (const bool left : {true, false}) {
      const std::vector<int32_t> chosen = outliers_of(p, left ? o.a : o.b);
      REQUIRE(chosen.size() == static_cast<size_t>(std::min<int64_t>(p.oe_k, left ? kM : kN)));
      if (left && p.oe_k == 4) CHECK(chosen == std::vector<int32_t>{3, 11, 19, 27});
      const matrix<float> residual = left ? iht_by_steps(p, without_rows(o.a, chosen), o.b)
                                          : iht_by_steps(p, o.a, without_rows(o.b, chosen));
      const matrix<float> c = run(left ? strategy::oe_left : strategy::oe_right, o, line);
      for (int64_t m = 0; m < kM; ++m)
        for (int64_t n = 0; n < kN; ++n) {
          if (contains(chosen, left ? m : n)) {
            // The MX part is +0 there, so the output is the BF16 product's.
            REQUIRE(bits_of(residual.at(m, n)) == 0u);
            REQUIRE(bits_of(c.at(m, n)) == bits_of(full.at(m, n) + 0.0f));
          } else {
            REQUIRE(bits_of(c.at(m, n)) == bits_of(residual.at(m, n)));
          }
        }
    }
  }
}

TEST_CASE("BF16 is the product of the untouched operands", "[spec:11.4]") {
  const operands o = random_operands(72);
  CHECK(test::bits_of_all(run(strategy::bf16, o, "output=f32").data) == test::bits_of_all(bf16_product(o.a, o.b).data));
}

TEST_CASE("-0 of the BF16 product becomes +0 at extracted places", "[spec:11.5]") {
  // Each product is -2^-200, which rounds to -0, and a chain of them stays there; the rest of the row is zero.
  operands o{matrix<bf16>(2, 32), matrix<bf16>(2, 32)};
  o.a.at(0, 0) = test::exact_bf16(-0x1p-100f);
  o.a.at(0, 1) = test::exact_bf16(-0x1p-100f);
  o.b.at(0, 1) = test::exact_bf16(0x1p-100f);
  for (int64_t c = 2; c < 32; ++c) o.a.at(0, c) = {0x8000}, o.b.at(0, c) = test::exact_bf16(1);
  REQUIRE(bits_of(bf16_product(o.a, o.b).at(0, 0)) == 0x80000000u);
  CHECK(bits_of(run(strategy::oe_left, o, "output=f32,oe_k=2").at(0, 0)) == 0u);
  CHECK(bits_of(run(strategy::oe_right, o, "output=f32,oe_k=2").at(0, 0)) == 0u);
}

TEST_CASE("a NaN in the other operand reaches extracted places", "[spec:11.6][spec:1.4]") {
  for (const uint16_t bad : std::initializer_list<uint16_t>{0x7F80, 0xFF80, 0x7FC1}) {
    operands o = random_operands(73);
    o.b.at(5, 7) = {bad};
    const matrix<float> c = run(strategy::oe_left, o, "output=f32,oe_k=4");
    for (int64_t m = 0; m < kM; ++m) CHECK(bits_of(c.at(m, 5)) == kCanonicalNan);
    CHECK(std::isfinite(c.at(3, 6)));
    operands t = random_operands(73);
    t.a.at(5, 7) = {bad};
    const matrix<float> d = run(strategy::oe_right, t, "output=f32,oe_k=4");
    for (int64_t n = 0; n < kN; ++n) CHECK(bits_of(d.at(5, n)) == kCanonicalNan);
  }
  // A NaN in the operand that is extracted from goes with its row, which scores NaN, and leaves the others alone.
  operands o = random_operands(74);
  o.a.at(6, 1) = {0x7FC0};
  const matrix<float> c = run(strategy::oe_left, o, "output=f32,oe_k=1");
  for (int64_t m = 0; m < kM; ++m)
    for (int64_t n = 0; n < kN; ++n) CHECK(std::isnan(c.at(m, n)) == (m == 6));
}

TEST_CASE("reject speaks of the operand", "[spec:5.15][spec:6.9]") {
  operands o = random_operands(75);
  o.b.at(5, 40) = {0x7F80};
  matrix<bf16> out(kM, kN);
  const policy p = policy_with("nonfinite=reject");
  const status s = reference::matmul(p, strategy::iht, view_of(o.a), view_of(o.b), view_of(out));
  CHECK(s.code() == ADAHOP_NONFINITE);
  CHECK(s.message().find("b: element (5, 32)") == 0);  // the transform spreads it from the block's start
  CHECK(reference::matmul(p, strategy::bf16, view_of(o.a), view_of(o.b), view_of(out)).ok());
  // The row with the NaN is taken out before anything is quantized.
  CHECK(reference::matmul(policy_with("nonfinite=reject,oe_k=4"), strategy::oe_right, view_of(o.a), view_of(o.b), view_of(out)).ok());
}

TEST_CASE("F18: a product of ones with extracted columns", "[spec:9.4][spec:11.3]") {
  operands o{matrix<bf16>(40, 64), matrix<bf16>(48, 64)};
  std::fill(o.a.data.begin(), o.a.data.end(), test::exact_bf16(1));
  std::fill(o.b.data.begin(), o.b.data.end(), test::exact_bf16(1));
  // H of ones is 32/sqrt(32) = 5.657 at one place: not an MX value, so IHT alone is off and extracted columns are exact.
  const matrix<float> c = run(strategy::oe_right, o, "output=f32,oe_k=4");
  for (int64_t m = 0; m < 40; ++m)
    for (int64_t n = 0; n < 48; ++n) CHECK(c.at(m, n) == (n < 4 ? 64.0f : 72.0f));
}

TEST_CASE("the strategy follows level, pair and path", "[spec:8.4][spec:8.5][spec:8.6][spec:13.2]") {
  const operands o = random_operands(76);
  const std::string_view line = "output=f32,oe_k=3";
  const auto bits = [&](strategy s) { return test::bits_of_all(run(s, o, line).data); };
  const std::pair<std::string_view, strategy> level1[] = {
      {"RR", strategy::iht},      {"RC", strategy::oe_right}, {"RN", strategy::oe_left},
      {"CR", strategy::iht},      {"CC", strategy::oe_right}, {"CN", strategy::iht},
      {"NR", strategy::iht},      {"NC", strategy::oe_right}, {"NN", strategy::iht}};
  for (const auto& [pair, listed] : level1)
    for (const int level : {1, 2})
      for (const adahop_path path : {ADAHOP_PATH_FORWARD, ADAHOP_PATH_DX, ADAHOP_PATH_DW})
        for (const bool port : {false, true}) {
          strategy expected = pair == "CC" && level == 2 ? strategy::bf16 : listed;
          if (pair == "RN" && path == ADAHOP_PATH_DW && port) expected = strategy::iht;
          policy p = policy_with(line);
          p.left_oe_on_dw = port ? ADAHOP_LEFT_OE_PORT : ADAHOP_LEFT_OE_PUBLISHED;
          matrix<float> out(kM, kN);
          REQUIRE(reference::matmul(p, level, *parse_pair(pair), path, view_of(o.a), view_of(o.b), view_of(out)).ok());
          INFO(pair << " level " << level << " path " << path << " port " << port);
          REQUIRE(test::bits_of_all(out.data) == bits(expected));
        }
  CHECK(bits(strategy::iht) != bits(strategy::oe_left));
  CHECK(bits(strategy::oe_left) != bits(strategy::oe_right));
  CHECK(bits(strategy::oe_right) != bits(strategy::bf16));
}

TEST_CASE("the three products of a layer through transposed views", "[spec:8.1][spec:3.3]") {
  // Y = X W^T, G_X = G_Y W, G_W = G_Y^T X in BF16 with small integers, where every order gives the exact sums.
  test::generator random(77);
  const int64_t tokens = 32, in = 64, out = 96;
  matrix<bf16> x(tokens, in), w(out, in), gy(tokens, out);
  for (matrix<bf16>* m : {&x, &w, &gy})
    for (bf16& v : m->data) v = test::exact_bf16(static_cast<float>(random.integer(-8, 8)));
  const auto value = [](const matrix<bf16>& m, int64_t r, int64_t c) { return static_cast<double>(decode_bf16(m.at(r, c))); };
  const policy p = policy_with("output=f32");
  const auto product = [&](const adahop_view& a, const adahop_view& b) {
    matrix<float> c(a.rows, b.rows);
    REQUIRE(reference::matmul(p, strategy::bf16, a, b, view_of(c)).ok());
    return c;
  };
  const matrix<float> y = product(view_of(x), view_of(w));
  const matrix<float> gx = product(view_of(gy), transposed(view_of(w)));
  const matrix<float> gw = product(transposed(view_of(gy)), transposed(view_of(x)));
  for (int64_t t = 0; t < tokens; ++t)
    for (int64_t i = 0; i < in; ++i) {
      double sum = 0;
      for (int64_t o = 0; o < out; ++o) sum += value(gy, t, o) * value(w, o, i);
      REQUIRE(gx.at(t, i) == static_cast<float>(sum));
    }
  for (int64_t o = 0; o < out; ++o) {
    for (int64_t t = 0; t < tokens; ++t) {
      double sum = 0;
      for (int64_t i = 0; i < in; ++i) sum += value(x, t, i) * value(w, o, i);
      REQUIRE(y.at(t, o) == static_cast<float>(sum));
    }
    for (int64_t i = 0; i < in; ++i) {
      double sum = 0;
      for (int64_t t = 0; t < tokens; ++t) sum += value(gy, t, o) * value(x, t, i);
      REQUIRE(gw.at(o, i) == static_cast<float>(sum));
    }
  }
}
