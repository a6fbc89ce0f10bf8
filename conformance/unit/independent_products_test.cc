// Whole products under policies other than the default: each model, random rounding with the operands' own words, sizes
// and signs of the transform, padding and shuffled scales, over the strategies.
#include <array>

#include "catch.h"
#include "independent_models_support.h"
#include "reference/backend.h"
#include "repetitions.h"

using namespace adahop_test;

namespace {

const adahop_backend& reference() { return *adahop_backend_reference(ADAHOP_ABI_VERSION); }

struct strategy_case {
  adahop_pattern left, right;
  int level;
  independent::strategy how;
};
constexpr strategy_case kStrategies[] = {
    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_NONE, 1, independent::strategy::iht},
    {ADAHOP_PATTERN_ROW, ADAHOP_PATTERN_NONE, 1, independent::strategy::oe_left},
    {ADAHOP_PATTERN_NONE, ADAHOP_PATTERN_COLUMN, 1, independent::strategy::oe_right},
    {ADAHOP_PATTERN_COLUMN, ADAHOP_PATTERN_COLUMN, 2, independent::strategy::bf16}};

/// Every third row is 16 times larger, so that extraction has something to choose.
independent::fp32_matrix with_large_rows(source& random, int rows, int cols, content kind) {
  independent::fp32_matrix x = make(random, rows, cols, kind, true);
  for (int r = 1; r < rows; r += 3)
    for (int c = 0; c < cols; ++c) {
      const uint32_t field = (x.at(r, c) >> 23) & 0xFFu;
      if (field > 0 && field < 250) x.at(r, c) += 4u << 23;
    }
  return x;
}

void check_products(const std::string& settings, const independent::fp32_matrix& a, const independent::fp32_matrix& b) {
  const adahop_policy policy = policy_with(settings);
  const adahop::matrix<adahop::bf16> a16 = to_bf16s(a), b16 = to_bf16s(b);
  for (const strategy_case& s : kStrategies) {
    const matrix_call call = matmul(reference(), policy, s.level, s.left, s.right, ADAHOP_PATH_FORWARD,
                                    adahop::view_of(a16), adahop::view_of(b16));
    CAPTURE(settings, a.cols, s.left, s.right);
    REQUIRE(call.status == ADAHOP_OK);
    CHECK(difference(call.out.bits, independent::matmul(a, b, s.how, product_policy_of(policy)).bits) == "");
  }
}

}  // namespace

TEST_CASE("whole products under each MX and BF16 model",
          "[independent][spec:10.11][spec:10.12][spec:10.13][spec:10.14][spec:10.16][spec:10.17][spec:10.18]"
          "[spec:10.19][spec:11.1][spec:11.2][spec:11.3][spec:11.4]") {
  source random(100);
  size_t i = 0;
  for (const char* const model : kMxModels) {
    const std::string settings =
        std::string("output=f32,oe_k=2,gemm_model=") + model + ",bf16_gemm_model=" + kBf16Models[i++ % 3];
    const content kind = kAllContents[i % 8];
    CAPTURE(name(kind));
    check_products(settings, with_large_rows(random, 7, 96, kind), with_large_rows(random, 8, 96, content::unit));
  }
}

TEST_CASE("whole products under random rounding: each operand has its own words",
          "[independent][spec:5.18][spec:5.20][spec:5.22]") {
  source random(101);
  adahop::test::case_picker picked;
  for (const char* const settings :
       {"oe_k=2,element_rounding=stochastic(8,1,0)", "oe_k=2,element_rounding=stochastic(24,5,18446744073709551000)",
        "oe_k=2,element_rounding=gfx950_sr(2)", "oe_k=3,element_rounding=gfx950_sr(18446744073709551615)"})
    for (const content kind : {content::unit, content::wide, content::nonfinite, content::tiny}) {
      if (!picked.runs()) continue;
      CAPTURE(name(kind));
      check_products(settings, with_large_rows(random, 9, 64, kind), with_large_rows(random, 6, 64, content::unit));
      check_products(std::string("output=f32,") + settings, with_large_rows(random, 5, 64, content::mixed_blocks),
                     with_large_rows(random, 6, 64, kind));
    }
}

TEST_CASE("whole products with other transforms, padding and shuffled scales",
          "[independent][spec:3.5][spec:3.6][spec:3.7][spec:3.8][spec:6.10][spec:6.11][spec:11.7]") {
  source random(102);
  adahop::test::case_picker picked;
  for (const char* const settings :
       {"oe_k=2,hadamard_size=16", "oe_k=2,hadamard_size=64,hadamard_signs=random(1)",
        "oe_k=2,hadamard_size=128,hadamard_signs=random(18446744073709551615),scale_layout=gfx950_shuffle",
        "oe_k=2,element_rounding=stochastic(11,4,9),scale_layout=gfx950_shuffle,foid_window=32",
        "oe_k=2,element_rounding=gfx950_sr(6),hadamard_size=128,hadamard_output=f32",
        "oe_k=2,gemm_model=cdna3_trfdpa(128),hadamard_size=64,output=f32",
        "oe_k=2,hadamard_signs=random(2),gemm_model=mfma_fused(4),min_scale_byte=1,output=f32"})
    for (const int k : {128, 1, 20, 33, 100, 129}) {
      if (!picked.runs()) continue;
      const content kind = kAllContents[random.between(0, 7)];
      CAPTURE(name(kind));
      check_products(std::string("pad=zero,") + settings, with_large_rows(random, 7, k, kind),
                     with_large_rows(random, 8, k, content::unit));
    }
}
