// The strategy table and whole products over all pairs, levels and paths against the independent composition.
#include <array>
#include <map>

#include "adahop/plan.h"
#include "catch.h"
#include "independent_support.h"
#include "reference/backend.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

independent::path path_of(adahop_path p) {
  return p == ADAHOP_PATH_FORWARD ? independent::path::forward
         : p == ADAHOP_PATH_DX    ? independent::path::dx
                                  : independent::path::dw;
}

independent::strategy independent_strategy(int level, adahop::pattern_pair pair, adahop_path path,
                                           const adahop_policy& policy) {
  return independent::strategy_of(level, pattern_of(pair.left), pattern_of(pair.right), path_of(path),
                                  policy.left_oe_on_dw == ADAHOP_LEFT_OE_PORT);
}

/// Values with rows that stand out, so that extraction has something to choose; every k-th row is large.
independent::fp32_matrix with_outlier_rows(source& random, int rows, int cols, content kind) {
  independent::fp32_matrix x = make(random, rows, cols, kind, true);
  for (int r = 2; r < rows; r += 9)
    for (int c = 0; c < cols; ++c) {
      const uint32_t field = (x.at(r, c) >> 23) & 0xFFu;
      if (field > 0 && field < 248) x.at(r, c) += 6u << 23;
    }
  return x;
}

/// Runs all pairs, levels and paths; the independent product of one strategy is computed once.
void check_products(const adahop_policy& policy, const independent::fp32_matrix& a, const independent::fp32_matrix& b) {
  const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
  std::map<independent::strategy, std::vector<uint32_t>> expected;
  for (const int level : {1, 2})
    for (const adahop::pattern_pair& pair : adahop::kAllPairs)
      for (const adahop_path path : adahop::kPaths) {
        const independent::strategy how = independent_strategy(level, pair, path, policy);
        if (!expected.contains(how)) expected[how] = independent::matmul(a, b, how, product_policy_of(policy)).bits;
        const matrix_call call =
            matmul(reference(), policy, level, pair.left, pair.right, path, adahop::view_of(a16), adahop::view_of(b16));
        CAPTURE(level, adahop::letter(pair.left), adahop::letter(pair.right), adahop::name(path));
        REQUIRE(call.status == ADAHOP_OK);
        CHECK(difference(call.out.bits, expected[how]) == "");
      }
}

}  // namespace

TEST_CASE("the strategy table equals the one typed from the paper",
          "[independent][spec:8.4][spec:8.5][spec:8.6]") {
  for (const adahop_left_oe_on_dw port : {ADAHOP_LEFT_OE_PUBLISHED, ADAHOP_LEFT_OE_PORT})
    for (const int level : {1, 2})
      for (const adahop::pattern_pair& pair : adahop::kAllPairs)
        for (const adahop_path path : adahop::kPaths) {
          adahop_policy policy = adahop::default_policy();
          policy.left_oe_on_dw = port;
          const std::string_view name = adahop::name(adahop::strategy_of(level, pair, path, port));
          const std::map<independent::strategy, std::string_view> names = {
              {independent::strategy::iht, "IHT"},
              {independent::strategy::oe_left, "OE-left"},
              {independent::strategy::oe_right, "OE-right"},
              {independent::strategy::bf16, "BF16"}};
          CAPTURE(port, level, adahop::letter(pair.left), adahop::letter(pair.right), adahop::name(path));
          CHECK(name == names.at(independent_strategy(level, pair, path, policy)));
        }
}

TEST_CASE("whole products over all pairs, levels and paths equal the independent ones",
          "[independent][spec:9.6][spec:9.7][spec:9.8][spec:10.10][spec:11.1][spec:11.2][spec:11.3][spec:11.4]"
          "[spec:13.2]") {
  source random(19);
  const std::string settings = GENERATE("oe_k=3", "oe_k=3,output=f32,left_oe_on_dw=port",
                                        "oe_k=5,scale_rule=rceil,hadamard_output=f32,output=f32",
                                        "oe_k=2,scale_rule=floor,min_scale_byte=1,foid_window=32");
  const adahop_policy policy = policy_with(settings);
  CAPTURE(settings);
  const independent::fp32_matrix a = with_outlier_rows(random, 33, 64, content::unit);
  check_products(policy, a, with_outlier_rows(random, 40, 64, content::unit));
}

TEST_CASE("whole products of extreme operands equal the independent ones",
          "[independent][spec:11.5][spec:11.6][spec:1.3][spec:10.10]") {
  source random(20);
  for (const content kind_a : {content::tiny, content::huge, content::zeros_and_signs, content::nonfinite})
    for (const content kind_b : {content::unit, content::wide, content::nonfinite}) {
      const adahop_policy policy = policy_with("oe_k=4,output=f32,scale_rule=ceil");
      CAPTURE(name(kind_a), name(kind_b));
      check_products(policy, with_outlier_rows(random, 11, 64, kind_a), with_outlier_rows(random, 13, 64, kind_b));
      check_products(policy, with_outlier_rows(random, 13, 64, kind_b), with_outlier_rows(random, 11, 64, kind_a));
    }
}

TEST_CASE("extraction of every row leaves the BF16 product", "[independent][spec:9.4][spec:11.2][spec:11.5]") {
  source random(21);
  const independent::fp32_matrix a = make(random, 5, 96, content::unit, true);
  const independent::fp32_matrix b = make(random, 7, 96, content::unit, true);
  check_products(policy_with("oe_k=64,output=f32"), a, b);
  check_products(policy_with("oe_k=6,output=bf16"), a, b);
}

TEST_CASE("a -0 of the outlier product becomes +0 in the whole product", "[independent][spec:11.5]") {
  // A row of -0 times positive values: under seq_fma +0 + (-0 * b) = +0 already, so a BF16 underflow makes the -0:
  // the smallest negative BF16 times 2^-133 rounds to -0 in FP32.
  independent::fp32_matrix a(2, 32), b(2, 32);
  for (int k = 0; k < 32; ++k) {
    a.at(0, k) = k == 31 ? 0x80010000u : 0u;
    b.at(0, k) = k == 31 ? 0x00010000u : 0u;
  }
  const independent::fp32_matrix bf16_product = independent::bf16_gemm(a, b);
  REQUIRE(bf16_product.at(0, 0) == 0x80000000u);
  const adahop_policy policy = policy_with("oe_k=2,output=f32");
  const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
  for (const auto& [left, right] : {std::pair{ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE},
                                    std::pair{ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN}}) {
    const matrix_call call = matmul(reference(), policy, 1, left, right, ADAHOP_PATH_FORWARD, adahop::view_of(a16),
                                    adahop::view_of(b16));
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(call.out.at(0, 0) == 0u);
  }
}
