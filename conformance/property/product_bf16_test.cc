// Laws of the BF16 product under every model, and of the rounding of outputs to BF16.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catch.h"
#include "product_calls.h"
#include "product_pick.h"

using namespace adahop;
using namespace adahop::property;

namespace {

constexpr uint32_t kSign = 0x80000000u;

output_bits reference_product(const bf16_product& x) { return product_of(the_reference(), x); }

bf16_product with_operands(const bf16_product& x, tensor a, tensor b) {
  return {x.rules, x.from, {std::move(a), std::move(b)}};
}

tensor negated(tensor t) {
  for (uint32_t& bits : t.bits) bits ^= kSign;
  return t;
}

// RNE of an FP32 pattern to BF16, from what nearest and even mean.
uint32_t nearest_bf16(uint32_t bits) {
  const float value = float_of(bits);
  if (std::isnan(value)) return 0x7FC0;
  const uint32_t below = bits >> 16, above = below + 1;  // by magnitude
  const double low = std::fabs(double{float_of(below << 16)}), x = std::fabs(double{value});
  // What follows the largest finite BF16 is 2^128 to the rounding, and Inf as a result.
  const double high = (above & 0x7FFFu) == 0x7F80u ? 0x1p128 : std::fabs(double{float_of(above << 16)});
  if (std::isinf(value) || x - low < high - x) return below;
  if (x - low > high - x) return above;
  return (below & 1u) == 0 ? below : above;
}

}  // namespace

TEST_CASE("BF16: rows of A are rows of C, rows of B its columns", "[property][spec:10.9][spec:10.18][spec:10.19]") {
  check_property("bf16: permuting rows of A and of B permutes rows and columns of C", 2000, [] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    const std::vector<int64_t> rows = pick_permutation("rows of A", x.ab.a.rows);
    const std::vector<int64_t> cols = pick_permutation("rows of B", x.ab.b.rows);
    const output_bits c = reference_product(x);
    output_bits wanted(c.rows, c.cols);
    for (int64_t r = 0; r < c.rows; ++r)
      for (int64_t n = 0; n < c.cols; ++n) wanted.at(r, n) = c.at(rows[static_cast<size_t>(r)], cols[static_cast<size_t>(n)]);
    require_same(reference_product(with_operands(x, with_rows(x.ab.a, rows), with_rows(x.ab.b, cols))), wanted, "permuted");
  });
}

TEST_CASE("BF16: the operands change places", "[property][spec:10.9][spec:10.18][spec:10.19]") {
  check_property("bf16: B A^T is the transpose of A B^T", 2000, [] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    require_same(reference_product(with_operands(x, x.ab.b, x.ab.a)), transpose(reference_product(x)), "B A^T");
  });
}

TEST_CASE("BF16: signs", "[property][spec:10.9][spec:10.18][spec:10.19]") {
  check_property("bf16: negating both operands changes nothing", 2000, [] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    require_same(reference_product(with_operands(x, negated(x.ab.a), negated(x.ab.b))), reference_product(x), "negated twice");
  });
}

TEST_CASE("BF16: the order of K does not matter to exact_sum, nor within a group of 8", "[property][spec:10.18][spec:10.19]") {
  check_property("bf16: permuting K where a model adds exactly or aligned", 2000, [] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    const int64_t k = x.ab.a.cols;
    const bool aligned = x.rules.bf16_gemm_model == ADAHOP_BF16_CDNA3_TRFDPA;
    const std::vector<int64_t> within = pick_permutation("order", aligned ? 8 : k);
    discard_unless(x.rules.bf16_gemm_model != ADAHOP_BF16_SEQ_FMA);
    std::vector<int64_t> order(static_cast<size_t>(k));
    for (int64_t i = 0; i < k; ++i)
      order[static_cast<size_t>(i)] = !aligned             ? within[static_cast<size_t>(i)]
                                      : i / 8 * 8 + 8 <= k ? i / 8 * 8 + within[static_cast<size_t>(i % 8)]
                                                           : i;
    require_same(reference_product(with_operands(x, with_columns(x.ab.a, order), with_columns(x.ab.b, order))),
                 reference_product(x), "permuted");
  });
}

TEST_CASE("BF16: a power of two in A is one in C", "[property][spec:10.9][spec:10.18][spec:10.19]") {
  check_property("bf16: scaling A by 2^n scales C by 2^n", 2000, [] {
    const bf16_product x = pick_bf16_product("x", reach::tame);
    const int power = static_cast<int>(pick_integer("power", -20, 20));
    output_bits wanted = reference_product(x);
    for (uint32_t& bits : wanted.bits) bits = bits_of(std::ldexp(float_of(bits), power));
    require_same(reference_product(with_operands(x, times_power_of_two(x.ab.a, power), x.ab.b)), wanted,
                 fmt::format("times 2^{}", power));
  });
}

TEST_CASE("a BF16 output is the FP32 output rounded once more", "[property][spec:10.8][spec:2.8]") {
  const auto rounded = [](output_bits c) {
    for (uint32_t& bits : c.bits) bits = nearest_bf16(bits);
    return c;
  };
  check_property("mx: BF16 output", 2000, [&] {
    const mx_product x = pick_mx_product("x", reach::wild);
    require_same(mx_gemm(the_reference(), x.rules, x.a, x.b, ADAHOP_BF16), rounded(product_of(the_reference(), x)), "BF16");
  });
  check_property("bf16: BF16 output", 2000, [&] {
    const bf16_product x = pick_bf16_product("x", reach::wild);
    require_same(bf16_gemm(the_reference(), x.rules, x.ab.a, x.ab.b, ADAHOP_BF16), rounded(reference_product(x)), "BF16");
  });
}
