// The aligned additions: the published vector, each floor and truncation by hand, and random groups against the formula
// of SPEC 10.15 to 10.17 in real numbers.
#include <algorithm>

#include "models_support.h"
#include "reference/accumulate/cdna3_gtrfdpa.h"
#include "reference/accumulate/cdna3_trfdpa.h"

using namespace adahop;
using namespace adahop::test;
using reference::accumulate_cdna3_gtrfdpa;
using reference::accumulate_cdna3_trfdpa;
using reference::product;

namespace {

// A product whose significand is 1 to 4 exclusive; value is exact.
product of_value(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  const auto significand = static_cast<int32_t>(std::ldexp(fraction, 15));
  REQUIRE(std::ldexp(significand, exponent - 15) == value);
  return {significand, exponent - 1};
}

// SPEC's formula in long double, exact here: 64 bits hold sums whose parts lie within 2^40 of each other.
using real = long double;
real scaled(real v, int exponent) { return std::ldexp(v, exponent); }
real value_of(const product& p) { return scaled(static_cast<real>(p.significand), p.exponent - 14); }

float last_steps(real t) {
  if (t == 0) return 0.0f;
  int exponent = 0;
  (void)std::frexp(t, &exponent);  // |t| in [2^(exponent-1), 2^exponent)
  const real floored = scaled(std::floor(scaled(t, 32 - exponent)), exponent - 32);
  return static_cast<float>(floored);  // 32 bits: one rounding
}

int exponent_of(float c) { return std::abs(c) < 0x1p-126f ? -126 : std::ilogb(c); }

struct half_sum {
  real sum = 0;
  int exponent = -10000;
};
half_sum truncated_sum(const std::vector<product>& group, size_t first, size_t step) {
  half_sum out;
  for (size_t i = first; i < group.size(); i += step)
    if (group[i].significand != 0) out.exponent = std::max(out.exponent, group[i].exponent);
  for (size_t i = first; i < group.size(); i += step)
    if (group[i].significand != 0)
      out.sum += scaled(std::trunc(scaled(value_of(group[i]), 24 - out.exponent)), out.exponent - 24);
  return out;
}

float trfdpa_by_formula(float c, const std::vector<product>& group) {
  const half_sum dot = truncated_sum(group, 0, 1);
  const int e = std::max(dot.exponent, exponent_of(c));
  const real s = scaled(std::floor(scaled(dot.sum, 32 - e)), e - 32);
  return last_steps(s + scaled(std::floor(scaled(static_cast<real>(c), 24 - e)), e - 24));
}

float gtrfdpa_by_formula(float c, const std::vector<product>& group) {
  const half_sum even = truncated_sum(group, 0, 2), odd = truncated_sum(group, 1, 2);
  const int e_dot = std::max(even.exponent, odd.exponent);
  real dot = 0;
  for (const half_sum& h : {even, odd}) dot += scaled(std::floor(scaled(h.sum, 24 - e_dot)), e_dot - 24);
  const int e = std::max(e_dot, exponent_of(c));
  const real s = scaled(std::floor(scaled(dot, 32 - e)), e - 32);
  const real c_part = exponent_of(c) < e - 25 ? 0 : scaled(std::floor(scaled(static_cast<real>(c), 24 - e)), e - 24);
  return last_steps(s + c_part);
}

}  // namespace

TEST_CASE("the published vector tells the CDNA3 algorithms apart", "[spec:10.15][spec:10.16]") {
  const std::vector<product> group = {of_value(-0x1p23), of_value(-0.5), of_value(-0.25), of_value(-0.125)};
  CHECK(accumulate_cdna3_trfdpa(0x1p23f, group) == -0.5f);
  CHECK(accumulate_cdna3_gtrfdpa(0x1p23f, group) == -1.0f);
  // As operands, in BF16; the exact sum is -0.875.
  matrix<bf16> a(1, 4), b(1, 4);
  a.data = {exact_bf16(-0x1p13f), exact_bf16(-0.5f), exact_bf16(-0.25f), exact_bf16(-0.125f)};
  b.data = {exact_bf16(0x1p10f), exact_bf16(1), exact_bf16(1), exact_bf16(1)};
  const reference::bf16_rows rows(view_of(a), 0, view_of(b), 0);
  CHECK(reference::bf16_dot(bf16_model("cdna3_trfdpa(8)"), rows, 0x1p23f) == -0.5f);
  CHECK(reference::bf16_dot(bf16_model("exact_sum"), rows, 0x1p23f) == -0.875f);
}

TEST_CASE("TR-FDPA: each floor and truncation by hand", "[spec:10.15]") {
  const auto tr = [](float c, std::vector<product> group) { return accumulate_cdna3_trfdpa(c, group); };
  // Products are truncated toward zero at 24 bits below the largest exponent: 2^-25 and -2^-25 are lost beside 1.
  CHECK(tr(0, {of_value(1), of_value(0x1p-24), of_value(-1)}) == 0x1p-24f);
  CHECK(bits_of(tr(0, {of_value(1), of_value(0x1p-25), of_value(-1)})) == 0u);
  CHECK(bits_of(tr(0, {of_value(1), of_value(-0x1p-25), of_value(-1)})) == 0u);
  // The accumulator is floored there: a tiny negative one costs a whole unit, a positive one is lost.
  CHECK(tr(-0x1p-40f, {of_value(1)}) == 1 - 0x1p-24f);
  CHECK(tr(0x1p-40f, {of_value(1), of_value(-1)}) == 0);
  CHECK(tr(-0x1p-40f, {of_value(1), of_value(-1)}) == -0x1p-24f);
  // The dot is floored at 32 bits below the accumulator.
  CHECK(bits_of(tr(1, {of_value(-0x1p-60)})) == bits_of(1.0f));
  CHECK(tr(1 + 0x1p-23f, {of_value(-0x1p-24)}) == 1.0f);                      // a tie, to even
  CHECK(tr(1 + 0x1p-23f, {of_value(-0x1p-24), of_value(-0x1p-45)}) == 1.0f);  // S floored below the tie
  CHECK(tr(1, {of_value(0x1p-24), of_value(0x1p-31)}) == 1 + 0x1p-23f);       // 31 bits decide the tie
  CHECK(tr(1, {of_value(0x1p-24), of_value(0x1p-32)}) == 1.0f);               // 32 do not
  // A zero accumulator has the exponent -126, so products far below are floored, not dropped.
  CHECK(bits_of(tr(0, {of_value(-0x1p-200)})) == 0x80000000u);
  CHECK(bits_of(tr(0, {of_value(0x1p-200)})) == 0u);
  CHECK(bits_of(tr(-0.0f, {product{0, 50}})) == 0u);
  CHECK(bits_of(tr(float_of(0x807FFFFFu), {})) == 0x807FFFFFu);
  // A zero product sets no exponent, whatever its fields are.
  CHECK(tr(0x1p-30f, {product{0, 100}}) == 0x1p-30f);
}

TEST_CASE("TR-FDPA and GTR-FDPA: overflowing products and accumulators", "[spec:10.15][spec:10.16]") {
  const product huge{1 << 14, 128}, below{(1 << 15) - 1, 127}, square{9 << 12, 127};
  for (const auto& add : {+[](float c, std::vector<product> g) { return accumulate_cdna3_trfdpa(c, g); },
                          +[](float c, std::vector<product> g) { return accumulate_cdna3_gtrfdpa(c, g); }}) {
    const auto minus = [](product p) { return product{-p.significand, p.exponent}; };
    CHECK(add(0, {huge}) == kInf);
    CHECK(add(-0x1p127f, {minus(huge)}) == -kInf);
    CHECK(add(0, {square}) == kInf);  // 2.25 * 2^127
    CHECK(add(0, {below, minus(below)}) == 0);
    CHECK(bits_of(add(0, {huge, minus(huge)})) == kCanonicalNan);
    CHECK(bits_of(add(kInf, {minus(huge)})) == kCanonicalNan);
    CHECK(add(kInf, {of_value(-1)}) == kInf);
    CHECK(add(-kInf, {}) == -kInf);
    CHECK(bits_of(add(std::nanf(""), {huge})) == kCanonicalNan);
    CHECK(add(0x1p127f, {of_value(0x1p127)}) == kInf);  // the sum overflows in its rounding
  }
}

TEST_CASE("random groups equal the formula", "[spec:10.15][spec:10.16]") {
  generator random(701);
  int differ = 0;
  for (int repeat = 0; repeat < 100000; ++repeat) {
    const int spread = random.integer(0, 34);
    std::vector<product> group(static_cast<size_t>(random.integer(1, 20)));
    for (product& p : group) {
      const int magnitude = random.integer(0, 9) == 0 ? 0 : random.integer(1, 65535);
      p = {random.integer(0, 1) == 0 ? magnitude : -magnitude, random.integer(-spread, 0)};
    }
    const float c = random.integer(0, 5) == 0 ? 0.0f : random.with_exponent(127 - 30, 127 + 14);
    const float tr = accumulate_cdna3_trfdpa(c, group), gtr = accumulate_cdna3_gtrfdpa(c, group);
    REQUIRE(bits_of(tr) == bits_of(trfdpa_by_formula(c, group)));
    REQUIRE(bits_of(gtr) == bits_of(gtrfdpa_by_formula(c, group)));
    differ += bits_of(tr) != bits_of(gtr) ? 1 : 0;
  }
  CHECK(differ > 1000);
}

TEST_CASE("block_first_fdpa: each truncation by hand", "[spec:10.17][spec:10.6]") {
  const auto dot = [](const char* model, std::vector<std::pair<int, int>> blocks,
                      float c = 0.0f) {  // {x, S/4 as a sign}
    mx_pair p(32 * static_cast<int64_t>(blocks.size()));
    for (size_t i = 0; i < blocks.size(); ++i) {
      p.set_scale(static_cast<int64_t>(i), blocks[i].first);
      if (blocks[i].second != 0)
        p.set(32 * static_cast<int64_t>(i) + 3, kOne, blocks[i].second < 0 ? kOne | kMinus : kOne);
    }
    return p.dot(model, c);
  };
  // One instruction of four: 2^-25 beside 1 is cut off, and so is an accumulator of either sign.
  CHECK(dot("block_first_fdpa(4)", {{0, 1}, {-24, 1}, {0, -1}, {0, 0}}) == 0x1p-24f);
  CHECK(dot("block_first_fdpa(4)", {{0, 1}, {-25, 1}, {0, -1}, {0, 0}}) == 0);
  CHECK(dot("block_first_fdpa(4)", {{0, 1}, {-25, -1}, {0, -1}, {0, 0}}) == 0);
  CHECK(dot("block_first_fdpa(1)", {{0, 1}}, -0x1p-40f) == 1.0f);
  CHECK(dot("block_first_fdpa(1)", {{-40, -1}}, 1.0f) == 1.0f);
  // Two of two see another order: the first group's sum is rounded to FP32 before the second.
  CHECK(dot("block_first_fdpa(2)", {{0, 1}, {-24, 1}, {0, -1}, {0, 0}}) == 0);
  CHECK(dot("block_first_fdpa(4)", {{0, 1}, {-24, 1}, {0, -1}}) == 0x1p-24f);  // a last group of three
  // A block whose sum is zero sets no exponent, although its products would.
  mx_pair cancels(64);
  cancels.set_scale(0, 60);
  cancels.set(0, kSix, kSix);
  cancels.set(1, kSix, kSix | kMinus);
  cancels.set(40, kHalf, kHalf);
  CHECK(cancels.dot("block_first_fdpa(2)") == 0.25f);
  CHECK(cancels.dot("cdna3_trfdpa(64)") == 0.0f);
  // The accumulator's exponent is at least -126, so terms below 2^-150 are cut off.
  CHECK(dot("block_first_fdpa(1)", {{-149, 1}}) == 0x1p-149f);
  CHECK(bits_of(dot("block_first_fdpa(1)", {{-200, -1}})) == 0u);
  CHECK(dot("block_first_fdpa(1)", {{200, -1}}, kInf) == kInf);
  CHECK(dot("block_first_fdpa(1)", {{128, 1}}) == kInf);
  CHECK(dot("block_first_fdpa(4)", {{128, 1}, {128, -1}, {0, 0}, {0, 1}}) == 0.0f);
}
