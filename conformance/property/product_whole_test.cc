// Laws of the whole product on the reference: its stages, the strategy table, the two extractions, padding.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "catch.h"
#include "product_calls.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;

namespace {

constexpr uint32_t kSign = 0x80000000u, kNan = 0x7FC00000u;
constexpr pattern_pair kIht{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE}, kOeLeft{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
    kOeRight{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN};

output_bits on_reference(const whole_product& x) { return whole(the_reference(), x); }

// The same product by a strategy of one's own choice.
whole_product by(pattern_pair pair, whole_product x) {
  x.pair = pair;
  x.path = ADAHOP_PATH_FORWARD;
  return x;
}
output_bits by_bf16(whole_product x) {
  x.level = 2;
  return on_reference(by({ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN}, std::move(x)));
}

// A product far from the formats' ends, with any rounding of elements.
whole_product pick_rounded_product() {
  whole_product x = pick_whole_product("x", reach::tame);
  policy_choice rounding;
  rounding.rounding = true;
  const policy p = pick_policy("rounding", rounding);
  x.rules.element_rounding = p.element_rounding;
  x.rules.sr_bits = p.sr_bits;
  x.rules.sr_seed = p.sr_seed;
  x.rules.sr_offset = p.sr_offset;
  return x;
}

tensor zeroed_rows(tensor t, const std::vector<int32_t>& rows) {
  for (const int32_t r : rows) std::fill_n(t.bits.begin() + r * t.cols, t.cols, 0u);
  return t;
}

// Outputs that are -0 become +0, whatever the type of the output.
output_bits without_minus_zero(output_bits c, const policy& p) {
  std::replace(c.bits.begin(), c.bits.end(), p.output == ADAHOP_F32 ? kSign : 0x8000u, 0u);
  return c;
}

// The chosen rows of the side that loses them have the BF16 product, the others the IHT product of the residual (SPEC
// 11.2, 11.3, 11.5); the other operand and its transform are finite.
void require_parts(const whole_product& x, bool left, const std::vector<int32_t>& chosen) {
  whole_product residual = x;
  tensor& side = left ? residual.ab.a : residual.ab.b;
  side = zeroed_rows(side, chosen);
  output_bits wanted = on_reference(by(kIht, residual));
  const output_bits whole_rows = without_minus_zero(by_bf16(x), x.rules);
  for (int64_t m = 0; m < wanted.rows; ++m)
    for (int64_t n = 0; n < wanted.cols; ++n)
      if (std::binary_search(chosen.begin(), chosen.end(), left ? m : n)) wanted.at(m, n) = whole_rows.at(m, n);
  require_same(on_reference(by(left ? kOeLeft : kOeRight, x)), wanted, left ? "OE-left" : "OE-right");
}

}  // namespace

TEST_CASE("a whole product is its stages, one after the other",
          "[property][spec:5.22][spec:8.4][spec:11.1][spec:11.2][spec:11.3][spec:11.4][spec:13.2]") {
  check_property("whole: matmul and the stages through the C ABI", 3000, [] {
    const whole_product x = pick_whole_product("x", reach::wild);
    require_same(on_reference(x), composed(the_reference(), x, route_of(x)), "matmul");
  });
}

TEST_CASE("level, pair and path choose the published strategy and nothing else", "[property][spec:8.4][spec:8.5][spec:8.6]") {
  check_property("whole: every pair, level and path", 150, [] {
    whole_product x = pick_whole_product("x", reach::wild);
    std::map<route, output_bits> by_route;
    for (const route how : {route::iht, route::oe_left, route::oe_right, route::bf16})
      by_route[how] = composed(the_reference(), x, how);
    for (const pattern_pair pair : kAllPairs)
      for (const adahop_path path : kPaths)
        for (const int32_t level : {1, 2}) {
          x.pair = pair, x.path = path, x.level = level;
          require_same(on_reference(x), by_route[route_of(x)],
                       fmt::format("level {}, pair {}{}, path {}", level, letter(pair.left), letter(pair.right), name(path)));
        }
  });
}

TEST_CASE("an extraction takes each row out once and puts it back once", "[property][spec:9.6][spec:9.7][spec:10.10]") {
  // A transform of 16 or 64 scales by a power of two, so rows of one power of two go through every strategy exactly.
  check_property("whole: rows of one power of two give exact products under every strategy", 2000, [] {
    whole_product x = pick_rounded_product();
    x.rules.hadamard_size = pick_integer("transform of 64", 0, 1) == 1 && x.ab.a.cols % 64 == 0 ? 64 : 16;
    x.rules.output = ADAHOP_F32;
    std::vector<std::vector<int64_t>> at(2);
    for (const int side : {0, 1}) {
      tensor& t = side == 0 ? x.ab.a : x.ab.b;
      for (int64_t r = 0; r < t.rows; ++r) {
        int64_t largest = 0;
        for (int64_t c = 0; c < t.cols; ++c)
          if (std::fabs(t.value(r, c)) > std::fabs(t.value(r, largest))) largest = c;
        const uint32_t kept = t.at(r, largest) & 0xFF800000u;
        for (int64_t c = 0; c < t.cols; ++c) t.at(r, c) = c == largest ? kept : 0;
        at[static_cast<size_t>(side)].push_back(largest);
      }
    }
    output_bits wanted(x.ab.a.rows, x.ab.b.rows);
    for (int64_t m = 0; m < wanted.rows; ++m)
      for (int64_t n = 0; n < wanted.cols; ++n) {
        const int64_t i = at[0][static_cast<size_t>(m)], j = at[1][static_cast<size_t>(n)];
        const float product = x.ab.a.value(m, i) * x.ab.b.value(n, j);
        wanted.at(m, n) = i == j && product != 0 ? bits_of(product) : 0;
      }
    require_same(on_reference(x), wanted, "exact product");
  });
}

TEST_CASE("extracted rows are the BF16 product, the others the product of the residual",
          "[property][spec:11.2][spec:11.3][spec:11.5]") {
  check_property("whole: the parts of an extraction", 1500, [] {
    const whole_product x = pick_rounded_product();
    const bool left = pick_integer("right side", 0, 1) == 0;
    require_parts(x, left, outliers(the_reference(), x.rules, left ? x.ab.a : x.ab.b));
  });
}

TEST_CASE("NaN and Inf in extracted rows stay there", "[property][spec:5.15][spec:6.8][spec:9.4][spec:11.5]") {
  check_property("whole: rows with NaN are extracted and spoil nothing else, also under reject", 1500, [] {
    whole_product x = pick_rounded_product();
    const bool left = pick_integer("right side", 0, 1) == 0;
    tensor& t = left ? x.ab.a : x.ab.b;
    for (const int32_t r : pick_subset("rows with a NaN", t.rows, x.rules.oe_k))
      t.at(r, pick_integer("column", 0, 31)) = pick_integer("Inf", 0, 1) == 1 ? 0xFF800000u : kNan;
    x.rules.nonfinite = pick_of("nonfinite", {ADAHOP_NONFINITE_BLOCK_NAN, ADAHOP_NONFINITE_REJECT});
    require_parts(x, left, outliers(the_reference(), x.rules, t));
  });
}

TEST_CASE("with as many outliers as rows nothing is left to quantize", "[property][spec:9.4][spec:11.5]") {
  check_property("whole: oe_k >= rows gives the BF16 product, but for -0", 1000, [] {
    whole_product x = pick_rounded_product();
    const bool left = pick_integer("right side", 0, 1) == 0;
    x.rules.oe_k = static_cast<int32_t>((left ? x.ab.a : x.ab.b).rows + pick_integer("more than rows", 0, 99));
    require_same(on_reference(by(left ? kOeLeft : kOeRight, x)), without_minus_zero(by_bf16(x), x.rules), "all extracted");
  });
}

TEST_CASE("extracting rows of zeros has no effect", "[property][spec:9.4][spec:9.7][spec:10.10]") {
  check_property("whole: rows of zeros among equal scores", 1000, [] {
    whole_product x = pick_rounded_product();
    const bool left = pick_integer("right side", 0, 1) == 0;
    tensor& t = left ? x.ab.a : x.ab.b;
    // Rows of equal elements have the score 0, so the first oe_k rows are taken; these are zeros.
    for (int64_t r = 0; r < t.rows; ++r)
      for (int64_t c = 0; c < t.cols; ++c) t.at(r, c) = r < x.rules.oe_k ? 0 : t.at(r, 0);
    require_same(on_reference(by(left ? kOeLeft : kOeRight, x)), on_reference(by(kIht, x)), "without effect");
  });
}

TEST_CASE("the operands change places, and so do the extractions", "[property][spec:11.1][spec:11.2][spec:11.3][spec:11.4]") {
  check_property("whole: B A^T is the transpose of A B^T by the mirrored strategy", 2000, [] {
    whole_product x = pick_whole_product("x", reach::wild);
    x.rules.element_rounding = ADAHOP_ROUND_RNE;
    x.path = ADAHOP_PATH_FORWARD;
    whole_product turned = x;
    std::swap(turned.ab.a, turned.ab.b);
    const route how = route_of(x);
    if (how == route::oe_left) turned.pair = kOeRight;
    if (how == route::oe_right) turned.pair = kOeLeft;
    require_same(on_reference(turned), transpose(on_reference(x)), "B A^T");
  });
}

TEST_CASE("rows of the operand that is not searched may be in any order", "[property][spec:9.8][spec:11.2][spec:11.3]") {
  check_property("whole: permuting rows of an operand permutes C", 1500, [] {
    whole_product x = pick_whole_product("x", reach::wild);
    x.rules.element_rounding = ADAHOP_ROUND_RNE;
    const route how = route_of(x);
    std::vector<int64_t> rows = pick_permutation("rows of A", x.ab.a.rows), cols = pick_permutation("rows of B", x.ab.b.rows);
    if (how == route::oe_left) std::sort(rows.begin(), rows.end());
    if (how == route::oe_right) std::sort(cols.begin(), cols.end());
    const output_bits c = on_reference(x);
    output_bits wanted(c.rows, c.cols);
    wanted.status = c.status;
    for (int64_t m = 0; m < c.rows; ++m)
      for (int64_t n = 0; n < c.cols; ++n) wanted.at(m, n) = c.at(rows[static_cast<size_t>(m)], cols[static_cast<size_t>(n)]);
    x.ab = {with_rows(x.ab.a, rows), with_rows(x.ab.b, cols)};
    require_same(on_reference(x), wanted, "permuted");
  });
}

TEST_CASE("a power of two in A is one in C through every stage", "[property][spec:5.8][spec:6.2][spec:9.1][spec:10.2]") {
  check_property("whole: scaling A by 2^n scales C by 2^n", 1500, [] {
    whole_product x = pick_rounded_product();
    const int power = static_cast<int>(pick_integer("power", -20, 20));
    output_bits wanted = on_reference(x);
    const int shift = x.rules.output == ADAHOP_F32 ? 0 : 16;
    for (uint32_t& bits : wanted.bits) bits = bits_of(std::ldexp(float_of(bits << shift), power)) >> shift;
    x.ab.a = times_power_of_two(x.ab.a, power);
    require_same(on_reference(x), wanted, fmt::format("times 2^{}", power));
  });
}

TEST_CASE("negating A negates C through every stage", "[property][spec:5.13][spec:6.5][spec:9.1][spec:10.5]") {
  check_property("whole: negating A negates C, but for zeros", 1500, [] {
    whole_product x = pick_rounded_product();
    discard_unless(x.rules.gemm_model != ADAHOP_GEMM_CDNA3_TRFDPA && x.rules.gemm_model != ADAHOP_GEMM_CDNA3_GTRFDPA &&
                   x.rules.bf16_gemm_model != ADAHOP_BF16_CDNA3_TRFDPA);
    const auto unsigned_zero = [&](const output_bits& c) { return without_minus_zero(c, x.rules); };
    output_bits wanted = unsigned_zero(on_reference(x));
    const uint32_t sign = x.rules.output == ADAHOP_F32 ? kSign : 0x8000u;
    for (uint32_t& bits : wanted.bits) bits = bits == 0 ? 0 : bits ^ sign;
    for (uint32_t& bits : x.ab.a.bits) bits ^= kSign;
    require_same(unsigned_zero(on_reference(x)), wanted, "of -A");
  });
}

TEST_CASE("one NaN is one row of NaN, or the call's refusal", "[property][spec:5.14][spec:5.15][spec:10.3]") {
  check_property("whole: one NaN or Inf in A under IHT", 1000, [] {
    whole_product x = by(kIht, pick_rounded_product());
    const int64_t row = pick_integer("row", 0, x.ab.a.rows - 1), col = pick_integer("column", 0, x.ab.a.cols - 1);
    output_bits wanted = on_reference(x);
    x.ab.a.at(row, col) = static_cast<uint32_t>(pick_of("bits", {0x7FC00000, 0x7F800000, 0x7F810000}));
    for (int64_t n = 0; n < wanted.cols; ++n) wanted.at(row, n) = x.rules.output == ADAHOP_F32 ? kNan : 0x7FC0u;
    require_same(on_reference(x), wanted, "block_nan");
    x.rules.nonfinite = ADAHOP_NONFINITE_REJECT;
    wanted.status = ADAHOP_NONFINITE;
    require_same(on_reference(x), wanted, "reject");
  });
}

TEST_CASE("padding is zeros behind K", "[property][spec:3.7][spec:3.8]") {
  check_property("whole: pad=zero and operands with zeros appended", 2000, [] {
    whole_product x = pick_whole_product("x", reach::wild);
    x.rules.pad = ADAHOP_PAD_ZERO;
    const int64_t unit = std::max<int64_t>(kBlockSize, x.rules.hadamard_size);
    whole_product longer = x;
    longer.rules.pad = ADAHOP_PAD_ERROR;
    for (tensor operands::*side : {&operands::a, &operands::b}) {
      const tensor& t = x.ab.*side;
      tensor out(ADAHOP_BF16, t.rows, (t.cols + unit - 1) / unit * unit);
      for (int64_t r = 0; r < t.rows; ++r)
        for (int64_t c = 0; c < t.cols; ++c) out.at(r, c) = t.at(r, c);
      longer.ab.*side = out;
    }
    // A BF16 product of -0 becomes +0 where products of zeros follow.
    const output_bits got = on_reference(x), wanted = on_reference(longer);
    const bool zeros = route_of(x) == route::bf16;
    require_same(zeros ? without_minus_zero(got, x.rules) : got, zeros ? without_minus_zero(wanted, x.rules) : wanted,
                 "padded");
  });
}
